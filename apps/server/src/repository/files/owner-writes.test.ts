import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { history, listFiles, putFile } from '../../testing/samples/sample-files.ts';
import { startNode } from '../../testing/service/node.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { countPassedOn, placeOwnedBy, type Room, settings, share, through } from './owner-writes.fixture.ts';

const service = useTestService({ role: 'api' });
let node: Awaited<ReturnType<typeof startNode>>;
let room: Room;
beforeAll(async () => {
  node = await startNode({ connection: service.database.connection, settings, secretKey: service.secretKey });
  room = await placeOwnedBy(service, node.url);
});
afterAll(() => node?.close());

const answered = () => countPassedOn(service.url, 'answer');

test('writes to one project through two nodes are made by its owner, each once and with its own answer', async () => {
  const rooms = [room, through(room, node.url)];
  await share(room, through(room, node.url));
  const before = { passed: await answered(), commits: (await history(room)).pagination.total };
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, number) => {
      const headers = { 'if-none-match': '*' };
      return putFile(
        rooms[number % 2] as Room,
        { path: `/d${number % 3}/${number}.txt`, content: `${number}\n` },
        headers,
      );
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  expect(await answered()).toBeGreaterThan(before.passed);
  expect(await countPassedOn(node.url, 'answer')).toBe(0);
  const commits = (await history(room)).data.map(({ sha }) => sha);
  for (const { body } of answers) expect(commits).toContain(body.commit_sha);
  expect((await history(room)).pagination.total).toBe(before.commits + 60);
  const checksums = new Map((await listFiles(room)).map(({ path, checksum }) => [path, checksum]));
  for (const { body } of answers) expect(checksums.get(body.path)).toBe(body.checksum);
});

test('what the owner refuses is refused as here, and a large file is written here', async () => {
  await share(room, through(room, node.url));
  const before = await answered();
  const there = await putFile(room, { path: '/shared.txt', content: 'x' }, { 'if-match': '"none"' });
  expect(there.status, there.text).toBe(412);
  const below = await putFile(room, { path: '/shared.txt/below.txt', content: 'x' });
  expect(below.status, below.text).toBe(409);
  expect(below.body).toMatchObject({ error: { request_id: below.headers.get('x-request-id') } });
  expect(await answered()).toBe(before + 2);
  expect((await putFile(room, { path: '/large.txt', content: 'x'.repeat(100_000) })).status).toBe(201);
  expect(await answered()).toBe(before + 2);
});

test('who writes alone, through whichever node, passes nothing on', async () => {
  const lone = await placeOwnedBy(service, node.url);
  const before = await answered();
  for (let number = 0; number < 10; number++) await putFile(lone, { path: '/a.txt', content: `${number}\n` });
  expect(await answered()).toBe(before);
});

test('an owner that stops in the middle of writes leaves none of them undone or made twice', async () => {
  await share(room, through(room, node.url));
  const total = (await history(room)).pagination.total;
  let count = 0;
  let isClosed = false;
  const write = async () => {
    for (; !isClosed; ) {
      const number = count++;
      const answer = await putFile(
        room,
        { path: `/stop/${number}.txt`, content: `${number}\n` },
        { 'if-none-match': '*' },
      );
      expect(answer.status, answer.text).toBe(201);
    }
  };
  const writers = Array.from({ length: 8 }, write);
  await waitFor('some are written', () => count > 20);
  await node.close();
  isClosed = true;
  await Promise.all(writers);
  expect((await history(room)).pagination.total).toBe(total + count);
});
