import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';

const cli = useCli();
const passphrase = 'a passphrase of some length';

type Session = { user: string; key: string; project: string };

/** Creates an account with a key, a project and a file in it, on a service that keeps running. */
async function firstSession(dataDir: string, url: string): Promise<Session> {
  const settings = { BOTTEGA_DATA_DIR: dataDir };
  const account = ['admin', 'user', 'create', '--email', 'ada@example.com', '--name', 'Ada', '--json'];
  const user = JSON.parse((await cli.run(account, settings)).stdout).id;
  const issued = await cli.run(['admin', 'key', 'create', '--user', 'ada@example.com', '--json'], settings);
  const { key } = JSON.parse(issued.stdout);
  const created = await call<{ id: string }>('POST', `${url}/v1/projects`, { token: key, json: { name: 'kept' } });
  await call('PUT', `${url}/v1/projects/${created.body.id}/files`, {
    token: key,
    json: { path: '/a.md', content: 'kept\n' },
  });
  return { user, key, project: created.body.id };
}

async function contentOf(url: string, { key, project }: Session): Promise<string> {
  const files = await call<{ data: { id: string }[] }>('GET', `${url}/v1/projects/${project}/files`, { token: key });
  const address = `${url}/v1/projects/${project}/files/${files.body.data[0]?.id}/content`;
  return (await call('GET', address, { token: key })).text;
}

test('a running service is backed up, verified, and restored in another place with its secret key', async () => {
  const dataDir = await cli.newDataDir();
  const service = await cli.start({ BOTTEGA_DATA_DIR: dataDir });
  const session = await firstSession(dataDir, service.url);
  const secret = join(dirname(dataDir), 'passphrase');
  writeFileSync(secret, `${passphrase}\n`);
  const file = join(dirname(dataDir), 'one.backup');

  const made = await cli.run(['backup', file, '--passphrase-file', secret, '--with-secret-key', '--json'], {
    BOTTEGA_DATA_DIR: dataDir,
  });
  expect(made).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Backing up everything\n(Backing up.*\n)*$/) });
  expect(JSON.parse(made.stdout)).toMatchObject({ file, encrypted: true, with_secret_key: true });
  const verified = await cli.run(['verify', file, '--passphrase-file', secret]);
  expect(verified).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The backup is complete: .* by Bottega [\d.]+\.\n$/),
  });
  expect(verified.stdout).not.toContain(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim());

  const elsewhere = await cli.newDataDir();
  const restored = await cli.run(['restore', file, '--passphrase-file', secret], { BOTTEGA_DATA_DIR: elsewhere });
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored .* You can now start Bottega\.\n$/),
    stderr: expect.stringMatching(/^Restoring .*one\.backup\n/),
  });
  expect(readFileSync(join(elsewhere, 'secret.key'), 'utf8')).toBe(readFileSync(join(dataDir, 'secret.key'), 'utf8'));
  const again = await cli.start({ BOTTEGA_DATA_DIR: elsewhere });
  expect(await contentOf(again.url, session)).toBe('kept\n');

  // A running service refuses a restore and keeps its data.
  const refused = await cli.run(['restore', file, '--passphrase-file', secret], { BOTTEGA_DATA_DIR: elsewhere });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already running on this data directory') });
  for (const one of [service, again]) one.signal('SIGTERM');
  await Promise.all([service.ended, again.ended]);
});

test('a backup without its secret key can be restored only where the key exists, and otherwise nothing is changed', async () => {
  const dataDir = await cli.newDataDir();
  const service = await cli.start({ BOTTEGA_DATA_DIR: dataDir });
  service.signal('SIGTERM');
  await service.ended;
  const file = join(dirname(dataDir), 'two.backup');
  expect(await cli.run(['backup', file], { BOTTEGA_DATA_DIR: dataDir })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The backup does not contain the secret key'),
  });

  const elsewhere = await cli.newDataDir();
  const refused = await cli.run(['restore', file], { BOTTEGA_DATA_DIR: elsewhere });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Set BOTTEGA_SECRET_KEY, or copy secret.key into the data directory'),
  });
  expect(existsSync(join(elsewhere, 'secret.key'))).toBe(false);
  mkdirSync(elsewhere, { recursive: true });
  writeFileSync(join(elsewhere, 'secret.key'), readFileSync(join(dataDir, 'secret.key')));
  expect(await cli.run(['restore', file], { BOTTEGA_DATA_DIR: elsewhere })).toMatchObject({ code: 0 });
});

test('a mistake in a command is reported in one line', async () => {
  const none = join(dirname(await cli.newDataDir()), 'none.backup');
  const settings = { BOTTEGA_DATA_DIR: await cli.newDataDir() };
  const told = async (...args: string[]) => (await cli.run(args, settings)).stderr;
  expect(await told('backup', '--with-secret-key')).toContain('Also specify --passphrase-file');
  expect(await told('backup', none, '--passphrase-file', none)).toMatch(
    /^bottega: The passphrase cannot be read: .*\n$/,
  );
  expect(await told('verify')).toBe('bottega: Specify the FILE to verify.\n');
  expect(await told('restore', 'a', 'b')).toBe('bottega: Specify the FILE to restore.\n');
  expect(await told('verify', none)).toMatch(/^bottega: .*no such file.*\n$/i);
});
