import type { Plan } from '@bottega/contract';
import { expect, test } from 'vitest';
import { keyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import { readConfig } from '../../foundation/config/index.ts';
import { transaction } from '../../foundation/db/index.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import {
  contentAt,
  history,
  idAt,
  inProject,
  listPaths,
  newPlace,
  type Place,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { addCollaborator } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { checkPreconditions } from '../files/preconditions.ts';
import { onMain } from '../objects/ref-names.ts';
import { prepareBlob } from './blobs.ts';
import type { HeadFile } from './changes.ts';
import { expectRowsToBeTheTree } from './head-tree.fixture.ts';
import type { PutDone } from './put.ts';
import { planQuota } from './quota.ts';
import { groupPuts } from './write-group.service.ts';

const service = useTestService();

type Write = { path: string; content: string; by?: TestUser; ifMatch?: string; ifNoneMatch?: string };
type Room = Place & { user: TestUser };

/** A node's function to put files, with its cached heads. */
function newNode(filesAllowed = 1000) {
  const writeQueue = keyedQueue();
  const { plans } = readConfig({});
  const free = { ...plans.free, files: filesAllowed };
  const quota = planQuota({ ...plans, free } satisfies Record<Plan, unknown>);
  const writes = { db: service.db, writeQueue, quota, publicUrl: () => service.url, deltas: () => false };
  return { writeQueue, put: groupPuts(writes) };
}

const asPut = async (room: Room, { path, content, by = room.user, ifMatch, ifNoneMatch }: Write, index = 0) => ({
  userId: by.id,
  cause: { actorId: by.id, requestId: `req_${index}`, idempotencyKey: null },
  path,
  blob: await prepareBlob(Buffer.from(content)),
  message: `Write ${index}`,
  check: (present: HeadFile | null) => checkPreconditions({ ifMatch, ifNoneMatch }, present?.checksum ?? null),
});

/** All puts wait for the same turn, so they form one group. */
async function putAtOnce(room: Room, writes: Write[], filesAllowed?: number): Promise<PromiseSettledResult<PutDone>[]> {
  const { writeQueue, put } = newNode(filesAllowed);
  const { promise: before, resolve: begin } = Promise.withResolvers<void>();
  void writeQueue(room.projectId, () => before);
  const puts = await Promise.all(writes.map((write, index) => asPut(room, write, index)));
  const answers = puts.map((one) => put(onMain(room.projectId), one));
  begin();
  return Promise.allSettled(answers);
}

const fileEvents = async (room: Room) =>
  (
    await service.pool.query(
      `select type, data, request_id, actor_id, xid::text as transaction from events
       where project_id = $1 and type like 'file.%' order by id`,
      [room.projectId],
    )
  ).rows;

const reasonsOf = (outcomes: PromiseSettledResult<PutDone>[]): (string | null)[] =>
  outcomes.map((one) => (one.status === 'rejected' ? `${one.reason.status} ${one.reason.message}` : null));

test('files written at the same time share a transaction, and each gets its own commit, author and event', async () => {
  const room = await newPlace(service);
  const editor = await service.createUser({ name: 'Second Author' });
  await addCollaborator(service, room.projectId, editor, { role: 'editor' });
  const outcomes = await putAtOnce(room, [
    { path: '/a/one', content: '1\n' },
    { path: '/a/b/two', content: '2\n', by: editor },
    { path: '/a/one', content: '1\n1\n' },
  ]);
  const done = outcomes.map((one) => (one.status === 'fulfilled' ? one.value : null));
  expect(done.map((one) => one?.created)).toEqual([true, true, false]);
  const { data } = await history(room);
  expect(data.map(({ message, author, parents }) => [message, author.name, parents.length])).toEqual([
    ['Write 2', room.user.name, 1],
    ['Write 1', 'Second Author', 1],
    ['Write 0', room.user.name, 0],
  ]);
  expect(data.map(({ sha }) => sha).reverse()).toEqual(done.map((one) => one?.commit?.toString('hex')));
  const events = await fileEvents(room);
  expect(events.map(({ type, request_id, actor_id }) => [type, request_id, actor_id])).toEqual([
    ['file.created', 'req_0', room.user.id],
    ['file.created', 'req_1', editor.id],
    ['file.updated', 'req_2', room.user.id],
  ]);
  expect(events[2].data.changes).toEqual({ lines_added: 1, lines_removed: 0, lines_modified: 0 });
  expect(new Set(events.map(({ transaction }) => transaction)).size).toBe(1);
  expect(await contentAt(room, '/a/one')).toBe('1\n1\n');
});

test('a refused write (rights, preconditions, a path through a file) does not affect the others in its group', async () => {
  const room = await newPlace(service);
  const { checksum } = await writeFile(room, '/kept', 'kept');
  const [viewer, stranger] = [await service.createUser(), await service.createUser()];
  await addCollaborator(service, room.projectId, viewer, { role: 'viewer' });
  const outcomes = await putAtOnce(room, [
    { path: '/viewer', content: 'x', by: viewer },
    { path: '/stranger', content: 'x', by: stranger },
    { path: '/new', content: 'new', ifNoneMatch: '*' },
    { path: '/new', content: 'again', ifNoneMatch: '*' },
    { path: '/new/below', content: 'x' },
    { path: '/kept', content: 'changed', ifMatch: `"${checksum}"` },
    { path: '/kept', content: 'too late', ifMatch: `"${checksum}"` },
    { path: '/new', content: 'new' },
  ]);
  expect(reasonsOf(outcomes)).toEqual([
    '403 You do not have permission to write to this project',
    '404 Project not found',
    null,
    '412 The file matches If-None-Match',
    '409 /new is a file, not a directory',
    null,
    '412 The file does not match If-Match',
    null,
  ]);
  expect(await listPaths(room)).toEqual(['/kept', '/new']);
  expect(await contentAt(room, '/kept')).toBe('changed');
  // The last one repeated the present content, so it made no commit.
  expect((await history(room)).data.map(({ message }) => message)).toEqual(['Write 5', 'Write 2', 'Write kept']);
});

test('if the limit leaves room for only some of the files, those are written and the others are refused', async () => {
  const room = await newPlace(service);
  const writes = ['/a', '/b', '/c', '/d'].map((path) => ({ path, content: path }));
  const outcomes = await putAtOnce(room, writes, 2);
  expect(reasonsOf(outcomes)).toEqual([null, null, ...Array(2).fill('403 The free plan allows 2 files per project')]);
  expect(await listPaths(room)).toEqual(['/a', '/b']);
  expect((await fileEvents(room)).map(({ data }) => data.file_path)).toEqual(['/a', '/b']);
});

test('a write that the database refuses does not fail the others in its group', async () => {
  const room = await newPlace(service);
  await service.pool.query(
    `create or replace function refuse_bad_path() returns trigger language plpgsql as
     $$ begin if new.path = '/bad' then raise exception 'bad'; end if; return new; end $$;
     create trigger refuse_bad_path before insert on files for each row execute function refuse_bad_path()`,
  );
  try {
    const outcomes = await putAtOnce(
      room,
      ['/a', '/bad', '/c'].map((path) => ({ path, content: path })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await listPaths(room)).toEqual(['/a', '/c']);
    expect((await history(room)).data).toHaveLength(2);
  } finally {
    await service.pool.query('drop trigger refuse_bad_path on files');
  }
});

test('without version control, writes share a transaction too, and make no commits', async () => {
  const room = await newPlace(service, { settings: { version_control: false } });
  const outcomes = await putAtOnce(room, [
    { path: '/a/one', content: '1' },
    { path: '/a/two', content: '2' },
  ]);
  expect(outcomes.map((one) => one.status === 'fulfilled' && one.value.commit)).toEqual([null, null]);
  expect(await listPaths(room)).toEqual(['/a', '/a/one', '/a/two']);
});

test('concurrent writes to several projects share transactions, and a locked project delays no other', async () => {
  const rooms = await Promise.all(Array.from({ length: 6 }, () => newPlace(service)));
  const [held] = rooms as [Room];
  const { put } = newNode();
  const { promise: holding, resolve: release } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const holder = transaction(service.db, async (trx) => {
    await lockWritableProject(trx, held.projectId, held.user.id);
    hold();
    await holding;
  });
  await isHeld;
  const puts = await Promise.all(rooms.map((room) => asPut(room, { path: '/a', content: 'a' })));
  const answers = rooms.map(({ projectId }, index) => put(onMain(projectId), puts[index] as (typeof puts)[number]));
  await Promise.all(answers.slice(1));
  release();
  await Promise.all([...answers, holder]);
  for (const room of rooms) expect(await contentAt(room, '/a')).toBe('a');
  const { rows } = await service.pool.query(
    `select count(distinct xid) as transactions from events where type = 'file.created' and project_id = any($1)`,
    [rooms.map(({ projectId }) => projectId)],
  );
  // Two at once, the waiting ones together, and the one that was held.
  expect(rows[0].transactions).toBeLessThanOrEqual(4);
});

test('a refusal in one project does not affect the other projects in the same transaction', async () => {
  const [one, two, three] = (await Promise.all(Array.from({ length: 3 }, () => newPlace(service)))) as [
    Room,
    Room,
    Room,
  ];
  const { put } = newNode();
  const stranger = await service.createUser();
  const puts = await Promise.all([
    asPut(one, { path: '/a', content: 'a', by: stranger }),
    asPut(two, { path: '/a', content: 'a', ifMatch: '"other"' }),
    asPut(three, { path: '/a', content: 'a' }),
  ]);
  const places = [one, two, three, one, two, three];
  const outcomes = await Promise.allSettled(
    places.map(({ projectId }, index) => put(onMain(projectId), puts[index % 3] as (typeof puts)[number])),
  );
  const refusals = ['404 Project not found', '412 The file does not match If-Match', null];
  expect(reasonsOf(outcomes)).toEqual([...refusals, ...refusals]);
  expect((await history(three)).data).toHaveLength(1);
});

test('a node does not use the head that it remembers once another writer has changed it', async () => {
  const room = await newPlace(service);
  const [mine, other] = [newNode(), newNode()];
  const write = async ({ put }: typeof mine, path: string, content: string) =>
    put(onMain(room.projectId), await asPut(room, { path, content }));
  await write(mine, '/a/one', '1\n');
  await write(mine, '/a/new', 'new\n');
  await write(other, '/a/one', '1\n2\n');
  await write(mine, '/a/one', '1\n2\n3\n');
  await inProject(room, 'DELETE', `/files/${await idAt(room, '/a/one')}`);
  const again = await write(mine, '/a/one', '1\n');
  expect(again.created).toBe(true);
  const changes = (await fileEvents(room)).map(({ type, data }) => [type, data.changes?.lines_added]);
  expect(changes).toEqual([
    ['file.created', 1],
    ['file.created', 1],
    ['file.updated', 1],
    ['file.updated', 1],
    ['file.deleted', 0],
    ['file.created', 1],
  ]);
  expect((await history(room)).data.map(({ parents }) => parents.length)).toEqual([1, 1, 1, 1, 1, 0]);
  await expectRowsToBeTheTree(service.db, room.projectId);
});

test('a node does not use the rights and the name of a writer that it remembers once they have changed', async () => {
  const room = await newPlace(service);
  const editor = await service.createUser();
  const collaborator = await addCollaborator(service, room.projectId, editor, { role: 'editor' });
  const { put } = newNode();
  const write = async (content: string) =>
    put(onMain(room.projectId), await asPut(room, { path: '/a', content, by: editor }));
  await write('1');
  await write('2');
  await service.pool.query("update users set name = 'Another Name' where id = $1", [editor.id]);
  await write('3');
  await inProject(room, 'DELETE', `/collaborators/${collaborator}`);
  expect(reasonsOf(await Promise.allSettled([write('4')]))).toEqual(['404 Project not found']);
  expect(await contentAt(room, '/a')).toBe('3');
  const [last, ...before] = (await history(room)).data;
  expect(last?.author.name).toBe('Another Name');
  expect(before.map(({ author }) => author.name)).not.toContain('Another Name');
  expect(await fileEvents(room)).toHaveLength(3);
  await expectRowsToBeTheTree(service.db, room.projectId);
});

test('a write to a project that the node remembers waits while the project is locked', async () => {
  const room = await newPlace(service);
  const { put } = newNode();
  const write = async (content: string) => put(onMain(room.projectId), await asPut(room, { path: '/a', content }));
  await write('1');
  let written: Promise<PutDone> | undefined;
  await transaction(service.db, async (trx) => {
    await lockWritableProject(trx, room.projectId, room.user.id);
    written = write('2');
    await waitFor('the write waits for the row', async () => {
      const { rows } = await service.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    });
  });
  await written;
  await write('3');
  expect((await history(room)).data).toHaveLength(3);
  await expectRowsToBeTheTree(service.db, room.projectId);
});

test('a file written while version control was off is updated, not created again, once it is on again', async () => {
  const room = await newPlace(service);
  const { put } = newNode();
  const write = async (content: string) => put(onMain(room.projectId), await asPut(room, { path: '/a', content }));
  const setControl = async (version_control: boolean) =>
    expect((await inProject(room, 'PATCH', '', { json: { settings: { version_control } } })).status).toBe(200);
  await write('1');
  await setControl(false);
  await inProject(room, 'DELETE', `/files/${await idAt(room, '/a')}`);
  const { id } = await writeFile(room, '/a', '1');
  await setControl(true);
  const { file, created } = await write('2');
  expect([file.id, created]).toEqual([id, false]);
  await expectRowsToBeTheTree(service.db, room.projectId);
});
