import { afterEach, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { history, listFiles, putFile } from '../../testing/samples/sample-files.ts';
import { type NodeProcess, startNodeProcess } from '../../testing/service/node-process.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { countPassedOn, placeOwnedBy, settings, share, through } from './owner-writes.fixture.ts';

const service = useTestService({ role: 'api' });
let owner: NodeProcess;
afterEach(() => owner?.child.kill('SIGKILL'));

async function twoNodes() {
  owner = await startNodeProcess(service, { settings });
  const room = await placeOwnedBy(service, owner.url);
  await share(room, through(room, owner.url));
  return room;
}
type Room = Awaited<ReturnType<typeof twoNodes>>;

/** 200 at once, each of a new file, so that a second time would be refused. */
const writeMany = (room: Room) =>
  Array.from({ length: 200 }, (_, number) =>
    putFile(room, { path: `/d${number % 7}/${number}.txt`, content: `${number}\n` }, { 'if-none-match': '*' }),
  );

async function expectEachOnce(room: Room, before: number, answers: Awaited<ReturnType<typeof putFile>>[]) {
  expect(answers.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([]);
  const pages = await Promise.all([1, 2, 3].map((page) => history(room, `?limit=100&page=${page}`)));
  const commits = pages.flatMap(({ data }) => data.map(({ sha }) => sha));
  for (const { body } of answers) expect(commits.filter((sha) => sha === body.commit_sha)).toHaveLength(1);
  expect(pages[0]?.pagination.total).toBe(before + 200);
  const events = await service.db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', room.projectId)
    .where('type', '=', 'file.created')
    .executeTakeFirstOrThrow();
  const files = (await listFiles(room, '?recursive=true&type=file&limit=1000')).length;
  expect(Number(events.count)).toBe(files);
}

test('an owner that is killed among 200 writes passed on: each is made once, and nobody is refused', async () => {
  const room = await twoNodes();
  const before = (await history(room)).pagination.total;
  const writes = writeMany(room);
  await Promise.race(writes);
  owner.child.kill('SIGKILL');
  await expectEachOnce(room, before, await Promise.all(writes));
  expect(await countPassedOn(service.url, 'unsure')).toBeGreaterThan(0);
});

test('an owner that is paused is given up, and when it wakes makes nothing a second time', async () => {
  const room = await twoNodes();
  const before = (await history(room)).pagination.total;
  const unsure = await countPassedOn(service.url, 'unsure');
  owner.child.kill('SIGSTOP');
  const answers = await Promise.all(writeMany(room));
  expect(await countPassedOn(service.url, 'unsure')).toBeGreaterThan(unsure);
  await expectEachOnce(room, before, answers);
  for (const { body } of answers.slice(0, 50)) await putFile(room, { path: body.path, content: 'changed since\n' });
  const commits = (await history(room)).pagination.total;
  owner.child.kill('SIGCONT');
  const awake = through(room, owner.url);
  await waitFor(
    'it is awake',
    async () => (await putFile(awake, { path: '/awake.txt', content: 'yes\n' })).status === 201,
  );
  expect((await history(room)).pagination.total).toBe(commits + 1);
  const sizes = (await listFiles(room, '?recursive=true&type=file&limit=1000')).filter(({ size }) => size === 14);
  expect(sizes).toHaveLength(50);
});
