import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { createProject, onProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { flushPkt, pktLine } from '../objects/pkt-line.ts';
import { type Clone, putFile, useDirectory, useGitClient } from './git-client.fixture.ts';

const data = useDirectory('data');
const quarantine = join(data, 'cache/push');
const service = useTestService({
  settings: {
    BOTTEGA_DATA_DIR: data,
    BOTTEGA_PUSH_PACK_LIMIT: '2000000',
    BOTTEGA_PUSH_OBJECT_LIMIT: '300',
    BOTTEGA_PUSH_UNPACKED_LIMIT: '4000000',
  },
});
const client = useGitClient(service);
let owner: TestUser;
let projectId: string;
let clone: Clone;
let before: unknown;

beforeAll(async () => {
  owner = await service.createUser();
});

beforeEach(async () => {
  projectId = (await createProject(service, owner)).id;
  await putFile(service, owner, projectId, ['/README.md', '# one\n']);
  clone = await client.clone(projectId, owner);
  before = await stored();
});

/** Everything that a push could have changed. */
async function stored(): Promise<unknown> {
  const of = (table: 'git_objects' | 'git_commits' | 'git_refs' | 'files' | 'events') =>
    service.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow();
  const counts = await Promise.all([of('git_objects'), of('git_commits'), of('git_refs'), of('files'), of('events')]);
  const main = await service.db
    .selectFrom('git_refs')
    .select('sha')
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  return [...counts, main.sha.toString('hex')];
}

async function expectNothingHappened(): Promise<void> {
  await waitFor('the quarantine is empty', async () => (await readdir(quarantine)).length === 0);
  expect(await stored()).toEqual(before);
}

const authorization = () => `Basic ${Buffer.from(`x:${owner.key}`).toString('base64')}`;
const receive = () => `${service.url}/git/${projectId}.git/git-receive-pack`;
const post = (body: Buffer) =>
  call('POST', receive(), {
    headers: { authorization: authorization(), 'content-type': 'application/x-git-receive-pack-request' },
    body: new Uint8Array(body),
  });

async function command(from: string, to: string, name = 'refs/heads/main', caps = 'report-status'): Promise<Buffer> {
  return Buffer.concat([pktLine(`${from} ${to} ${name}\0 ${caps}\n`), flushPkt]);
}

test('a client that disconnects in the middle of its pack leaves nothing behind', async () => {
  const head = await clone.git('rev-parse', 'HEAD');
  const { port } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  const lines = [
    `POST /git/${projectId}.git/git-receive-pack HTTP/1.1`,
    'Host: x',
    `Authorization: ${authorization()}`,
    'Content-Type: application/x-git-receive-pack-request',
    'Content-Length: 100000',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(await command(head, '1'.repeat(40)));
  socket.write(Buffer.concat([Buffer.from('PACK\0\0\0\x02\0\0\0\x09', 'latin1'), randomBytes(2_000)]));
  await waitFor('the quarantine is in use', async () => (await readdir(quarantine).catch(() => [])).length === 1);
  socket.destroy();
  await expectNothingHappened();
});

describe('the service refuses, with a reason and without a trace:', () => {
  test('a pack beyond the limit, even if its client continues sending', async () => {
    await clone.commit('Large', Object.fromEntries([1, 2, 3].map((n) => [`large${n}.bin`, randomBytes(1_000_000)])));
    const { ok, stderr } = await clone.tryGit('push');
    expect(ok).toBe(false);
    expect(stderr).toContain('remote: A push can have at most 1.9 MiB. Push fewer commits at a time');
    expect(stderr).toContain('[remote rejected] main -> main (the pack is larger than 1.9 MiB)');
    await expectNothingHappened();
  });

  test('a push with too many objects', async () => {
    await clone.commit('Many', Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`f${n}`, `${n}`])));
    const { ok, stderr } = await clone.tryGit('push');
    expect([ok, stderr]).toEqual([false, expect.stringContaining('remote: A push can have at most 300 objects.')]);
    await expectNothingHappened();
  });

  test('a small pack that expands to too much data', async () => {
    const zeros = (n: number) => Buffer.alloc(900_000, String(n));
    await clone.commit('Zeros', Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`zeros${n}`, zeros(n)])));
    const { ok, stderr } = await clone.tryGit('push');
    expect([ok, stderr]).toEqual([false, expect.stringContaining('can have at most 3.8 MiB. Push fewer')]);
    await expectNothingHappened();
  });

  test('a pack without objects that its commit needs', async () => {
    const head = await clone.git('rev-parse', 'HEAD');
    const next = await clone.commit('Next', { 'a.txt': 'a' });
    const onlyCommit = await clone.git('-c', `alias.feed=!echo ${next} | git pack-objects --stdout | base64`, 'feed');
    const body = Buffer.concat([await command(head, next), Buffer.from(onlyCommit, 'base64')]);
    const { status, text } = await post(body);
    expect(status).toBe(200);
    expect(text).toMatch(/ng refs\/heads\/main/);
    await expectNothingHappened();
  });

  test('an object in which git finds an error', async () => {
    const head = await clone.git('rev-parse', 'HEAD');
    const tree = await clone.git('rev-parse', 'HEAD^{tree}');
    const bad = `tree ${tree}\nparent ${head}\nauthor nobody\ncommitter nobody\n\nx`;
    await clone.write('../bad-commit', bad);
    const sha = await clone.git('hash-object', '-t', 'commit', '-w', '--literally', '../bad-commit');
    const { ok, stderr } = await clone.tryGit('push', 'origin', `${sha}:refs/heads/main`);
    expect([ok, stderr]).toEqual([false, expect.stringMatching(/remote: error: object [0-9a-f]{40}: missing/)]);
    await expectNothingHappened();
  });

  test('a pack with a broken checksum, or something that is not a pack', async () => {
    const head = await clone.git('rev-parse', 'HEAD');
    const start = await command(head, '1'.repeat(40));
    const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
    for (const pack of [
      Buffer.concat([header, randomBytes(20)]),
      Buffer.concat([header, Buffer.alloc(500)]),
      Buffer.alloc(0),
    ]) {
      expect((await post(Buffer.concat([start, pack]))).text).toContain('unpack the pack is corrupt');
    }
    await expectNothingHappened();
  });

  test('a commit that was not sent, even if the pack is valid', async () => {
    const head = await clone.git('rev-parse', 'HEAD');
    const empty = await clone.git('-c', 'alias.feed=!git pack-objects --stdout </dev/null | base64', 'feed');
    const body = Buffer.concat([await command(head, '1'.repeat(40)), Buffer.from(empty, 'base64')]);
    expect((await post(body)).text).toContain('it points to an object that was not sent');
    await expectNothingHappened();
  });

  test('a branch that points to a file', async () => {
    const { ok, stderr } = await clone.tryGit('push', 'origin', 'HEAD:README.md:refs/heads/x');
    expect(ok, stderr).toBe(false);
    const blob = await clone.git('rev-parse', 'HEAD:README.md');
    expect((await post(await command('0'.repeat(40), blob, 'refs/heads/x'))).text).toContain('ng');
    await expectNothingHappened();
  });
});

describe('a body that is not a push', () => {
  test.each([
    ['nothing', ''],
    ['nonsense', 'nonsense'],
    ['half a line', '00a5abc'],
    ['a command without sense', '0009hello0000'],
    ['the same reference twice', `${`0066${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/abcde`.padEnd(102)}`.repeat(2)],
  ])('is a 400: %s', async (_what, body) => {
    const { status } = await post(Buffer.from(body));
    expect(status).toBe(400);
    await expectNothingHappened();
  });

  test('is accepted if it is an empty list of commands, with which git asks for permission', async () => {
    const { status, text, headers } = await post(Buffer.from('0000'));
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('content-type')).toBe('application/x-git-receive-pack-result');
  });
});

test('files saved while version control was off are not overwritten by a push', async () => {
  const patch = (version_control: boolean) =>
    onProject(service, owner, projectId, ['PATCH', { settings: { version_control } }]);
  await patch(false);
  await putFile(service, owner, projectId, ['/quiet.txt', 'in no commit yet']);
  await patch(true);
  before = await stored();
  await clone.commit('Unaware', { 'x.txt': 'x' });
  const { ok, stderr } = await clone.tryGit('push');
  // Switching version control on created a commit, which the clone does not have yet.
  expect([ok, stderr]).toEqual([false, expect.stringContaining('fetch first')]);
  await expectNothingHappened();
  await clone.git('pull', '--quiet', '--rebase');
  await clone.git('push', '--quiet');
});

test('a push while the database is unavailable tells its user to try again, and stores nothing', async () => {
  await clone.commit('Late', { 'late.txt': 'x' });
  await service.pool.query(`
    create function go_away() returns trigger language plpgsql as
      $$ begin raise exception 'terminating connection' using errcode = 'admin_shutdown'; end $$;
    create trigger go_away before insert on git_objects execute function go_away()`);
  const { ok, stderr } = await clone.tryGit('push');
  await service.pool.query('drop function go_away cascade');
  expect(ok).toBe(false);
  expect(stderr).toContain('temporarily unavailable; try again in a moment');
  await expectNothingHappened();
  await clone.git('push', '--quiet');
});

test('a clone while the database is unavailable tells its user to try again', async () => {
  await service.pool.query('alter table git_refs rename to refs_away');
  await service.pool.query(`
    create function refs_away() returns setof refs_away language plpgsql as
      $$ begin raise exception 'the database system is shutting down' using errcode = '57P03'; end $$;
    create view git_refs as select * from refs_away()`);
  const { ok, stderr } = await client.tryClone(projectId, owner.key);
  await service.pool.query('drop view git_refs; drop function refs_away; alter table refs_away rename to git_refs');
  expect(ok).toBe(false);
  expect(stderr).toContain('remote: The service is temporarily unavailable; try again in a moment');
});
