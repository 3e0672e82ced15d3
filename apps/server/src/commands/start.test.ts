import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedDatabase } from '../foundation/db/embedded/index.ts';
import { processesOf, type Running, useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { waitFor } from '../testing/parts/wait-for.ts';

const cli = useCli();
/** Starts as `npm start` does in a clone. */
const fromSources = useCli({ program: join(import.meta.dirname, '../../bin/bottega.js') });

/** One data directory for the whole file. The tests build on each other in order. */
let dataDir: string;
let settings: Record<string, string>;
let key: string;
let first: Running;

const oneLine = (text: string) => text.trim().split('\n').length === 1 && text.endsWith('\n');

async function inDatabase<Value>(work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const quiet = { info() {}, warn() {} };
  const { connection } = await openEmbeddedDatabase({ dataDir, holder: 'command', description: 'a test', log: quiet });
  const client = new pg.Client(connection);
  // The server may be stopped while the client is connected.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Expects nothing that would disturb the next start, and no process that is still running. */
async function expectNothingLeft(): Promise<void> {
  expect(await processesOf(dataDir)).toEqual([]);
  const cluster = join(dataDir, 'postgres', 'data');
  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
  const run = join(dataDir, 'postgres', 'run');
  expect(existsSync(run) ? readdirSync(run) : []).toEqual([]);
}

beforeAll(async () => {
  dataDir = await cli.newDataDir();
  settings = { BOTTEGA_DATA_DIR: dataDir };
});

describe('the first start', () => {
  test('that fails because its port is in use says so in one line, and does not use up the first credentials', async () => {
    const occupied = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => occupied.once('listening', resolve));
    const { port } = occupied.address() as { port: number };
    const outcome = await cli.run(['start'], { ...settings, PORT: String(port) });
    occupied.close();
    expect(outcome).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^bottega: Port \d+ is already in use \(EADDRINUSE\): .*\n$/),
    });
    expect(oneLine(outcome.stderr)).toBe(true);
    expect(outcome.stdout).not.toContain('btg_live_');
    await expectNothingLeft();
  });

  test('prints address, e-mail, password and key, each once; and the key works', async () => {
    first = await fromSources.start(settings);
    const text = first.stdout();
    expect(text.match(/Bottega is running at http:\/\/localhost:\d+ /g)).toHaveLength(1);
    expect(text.match(/ {2}e-mail {4}\S+@\S+\n/g)).toHaveLength(1);
    expect(text.match(/ {2}password {2}\S{12,}\n/g)).toHaveLength(1);
    expect(text.match(/btg_live_[0-9A-Za-z]{49}\n/g)).toHaveLength(1);
    key = /btg_live_\w+/.exec(text)?.[0] ?? '';
    const me = await call('GET', `${first.url}/v1/user`, { token: key });
    expect(me.body).toMatchObject({ email: /e-mail +(\S+)/.exec(text)?.[1], subscription: { plan: 'enterprise' } });
    const { rows } = await inDatabase((client) => client.query('select email, is_admin from users'));
    expect(rows).toEqual([{ email: me.body.email, is_admin: true }]);
  });

  test('protects the secret key and the database from other users of the machine', () => {
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o077).toBe(0);
    expect(statSync(dataDir).mode & 0o077).toBe(0);
  });
});

test('a second start on the same data directory says so in one line and exits with 1; the first service continues', async () => {
  const outcome = await cli.run(['start'], settings);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toMatch(new RegExp(`^bottega: .*already running.*pid ${first.pid}.*\n$`));
  expect(oneLine(outcome.stderr)).toBe(true);
  expect((await call('GET', `${first.url}/v1/user`, { token: key })).status).toBe(200);
});

describe('SIGTERM', () => {
  test('drains the service: a request in flight is answered, new ones are refused, and nothing is left behind', async () => {
    await inDatabase(async (client) => {
      await client.query('begin');
      await client.query('lock table projects in exclusive mode');
      const slow = call('POST', `${first.url}/v1/projects`, { token: key, json: { name: 'In flight' } });
      await waitFor('the request waits for the table', async () => {
        const { rowCount } = await client.query("select 1 from pg_locks where not granted and locktype = 'relation'");
        return rowCount === 1;
      });
      first.signal('SIGTERM');
      await waitFor('it takes no new connections', async () =>
        fetch(`${first.url}/healthz`, { headers: { connection: 'close' } }).then(
          (answer) => answer.status === 503,
          () => true,
        ),
      );
      await client.query('rollback');
      const answer = await slow;
      expect(answer.status).toBe(201);
      expect(answer.body.name).toBe('In flight');
    });
    const answered = Date.now();
    expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
    // It stops as soon as nothing is left to do, although the client keeps its connection open.
    expect(Date.now() - answered).toBeLessThan(25_000);
    await expectNothingLeft();
  });
});

describe('the next start', () => {
  let next: Running;

  test('prints no credentials, and has the results of all answered requests', async () => {
    next = await cli.start({ ...settings, BOTTEGA_SHUTDOWN_TIMEOUT: '1' });
    expect(next.stdout()).not.toMatch(/btg_live_|password|e-mail/);
    const { body } = await call<{ data: { name: string }[] }>('GET', `${next.url}/v1/projects`, { token: key });
    expect(body.data.map(({ name }) => name)).toEqual(['In flight']);
  });

  test('ends in order by Ctrl-C, even if more signals follow, and within its time limit even if a request hangs', async () => {
    await inDatabase(async (client) => {
      await client.query('begin');
      await client.query('lock table projects in exclusive mode');
      const hanging = call('POST', `${next.url}/v1/projects`, { token: key, json: { name: 'Hangs' } }).catch(
        () => null,
      );
      await waitFor('the request waits for the table', async () => {
        const { rowCount } = await client.query("select 1 from pg_locks where not granted and locktype = 'relation'");
        return rowCount === 1;
      });
      const asked = Date.now();
      next.signal('SIGINT', 'group');
      next.signal('SIGTERM');
      next.signal('SIGTERM');
      expect(await next.ended).toMatchObject({ code: 0, stderr: '' });
      expect(Date.now() - asked).toBeLessThan(25_000);
      await hanging;
    });
    await expectNothingLeft();
  });
});

test('every process of the service cuts small buffers from small blocks, so that a cached one keeps little memory', async () => {
  const report =
    "process.on('exit', () => process.getBuiltinModule('fs').writeSync(2, 'block ' + Buffer.poolSize + '\\n'))";
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(report)}`;
  const service = await cli.start({ BOTTEGA_DATA_DIR: await cli.newDataDir(), NODE_OPTIONS });
  service.signal('SIGTERM');
  const { stderr } = await service.ended;
  const blocks = stderr.match(/(?<=^block )\d+/gm) ?? [];
  expect(blocks.filter((bytes) => Number(bytes) <= 4_096).length).toBeGreaterThanOrEqual(3);
}, 120_000);

test.each(['--version', '-v', 'version'])('bottega %s prints the version of the package', async (asked) => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(await cli.run([asked])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});
