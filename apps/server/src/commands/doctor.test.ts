import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { useCli } from '../testing/clients/cli.ts';
import { startMailServer } from '../testing/parts/mail-server.ts';

const cli = useCli();
const mails = await startMailServer();
afterAll(() => mails.close());

type Report = { verdict: string; parts: { name: string; status: string; message: string; remedy: string | null }[] };

async function ask(settings: Record<string, string>): Promise<Report & { code: number | null }> {
  const { code, stdout, stderr } = await cli.run(['doctor', '--json'], settings);
  expect(stderr).toBe('');
  return { code, ...JSON.parse(stdout) };
}

const part = (report: Report, name: string) => report.parts.find((one) => one.name === name);

test('before the first start, doctor reports what is available, and leaves no trace', async () => {
  const dataDir = await cli.newDataDir();
  const report = await ask({ BOTTEGA_DATA_DIR: dataDir, BOTTEGA_SMTP_URL: mails.url });
  expect(part(report, 'bottega')).toMatchObject({ status: 'ok', message: expect.stringContaining(process.platform) });
  expect(part(report, 'data directory')).toMatchObject({
    status: 'ok',
    message: `${dataDir} will be created at the first start`,
  });
  expect(part(report, 'database')).toMatchObject({
    status: 'ok',
    message: expect.stringMatching(/^embedded PostgreSQL [\d.]+; \d+ migrations will be applied at the next start$/),
  });
  expect(part(report, 'mail')).toMatchObject({ status: 'ok' });
  for (const name of ['git', 'builds', 'workspaces', 'port', 'apps port', 'secret key', 'clock', 'disk', 'dashboard']) {
    expect(part(report, name), name).toBeDefined();
  }
  expect(existsSync(dataDir)).toBe(false);
  expect(readdirSync(dirname(dataDir))).toEqual([]);
  // A missing part does not prevent a start.
  expect(report.code).toBe(report.verdict === 'ok' ? 0 : 1);
  expect(report.parts.filter(({ status }) => status === 'broken')).toEqual([]);
});

test('beside a running service, doctor asks the database of the service and recognizes its port', async () => {
  const dataDir = await cli.newDataDir();
  const service = await cli.start({ BOTTEGA_DATA_DIR: dataDir });
  const { port } = new URL(service.url);
  const { code, stdout } = await cli.run(['doctor'], { BOTTEGA_DATA_DIR: dataDir, PORT: port });
  expect(stdout).toMatch(/^ok {7}database {8}embedded PostgreSQL [\d.]+$/m);
  expect(stdout).toMatch(new RegExp(`^ok {7}port {12}Bottega responds on port ${port}$`, 'm'));
  expect(stdout).toMatch(/^ok {7}secret key {6}is present$/m);
  // Without a mail server, a part is missing, and the output says what to do about it.
  expect(stdout).toMatch(/^missing {2}mail .*\n {2,}→ Set BOTTEGA_SMTP_URL\.$/m);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('Bottega works on this machine, but some parts are missing.');
  expect(code).toBe(1);
  service.signal('SIGTERM');
  await service.ended;
});

test('a secret key that is missing although the database was encrypted with it is reported as broken', async () => {
  const dataDir = await cli.newDataDir();
  const service = await cli.start({ BOTTEGA_DATA_DIR: dataDir });
  service.signal('SIGTERM');
  await service.ended;
  rmSync(join(dataDir, 'secret.key'));
  const report = await ask({ BOTTEGA_DATA_DIR: dataDir });
  expect(part(report, 'secret key')).toMatchObject({
    status: 'broken',
    message: 'is missing, but this database was encrypted with one',
    remedy: expect.stringContaining('secret.key'),
  });
  expect(report.code).toBe(2);
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(false);
});

test('a problem that prevents a start is reported as broken, with a remedy and exit code 2', async () => {
  const blocking = createServer().listen(0, '127.0.0.1');
  await once(blocking, 'listening');
  const { port } = blocking.address() as { port: number };
  const dataDir = await cli.newDataDir();
  mkdirSync(dirname(dataDir), { recursive: true });
  const away = { BOTTEGA_DATA_DIR: dataDir, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', PORT: String(port) };
  const report = await ask(away);
  blocking.close();
  expect(report).toMatchObject({ code: 2, verdict: 'broken' });
  expect(part(report, 'database')).toMatchObject({ status: 'broken', remedy: expect.stringContaining('DATABASE_URL') });
  expect(part(report, 'port')).toMatchObject({ status: 'broken', remedy: 'Set PORT to another port.' });

  expect(await ask({ BOTTEGA_DATA_DIR: dataDir, BOTTEGA_COLOUR: 'red' })).toMatchObject({
    code: 2,
    parts: [
      { name: 'bottega' },
      { name: 'settings', status: 'broken', message: expect.stringContaining('BOTTEGA_COLOUR') },
    ],
  });

  writeFileSync(join(dirname(dataDir), 'file'), '');
  expect(await ask({ BOTTEGA_DATA_DIR: join(dirname(dataDir), 'file/data') })).toMatchObject({
    code: 2,
    parts: [{ name: 'bottega' }, { name: 'data directory', status: 'broken' }],
  });
});
