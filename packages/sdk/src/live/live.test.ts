import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Random,
  randomPosition,
  randomText,
  seededRandom,
} from '../../../../apps/server/src/collaboration/texts/random.fixture.ts';
import { waitFor } from '../../../../apps/server/src/testing/parts/wait-for.ts';
import { fuzzRuns, fuzzSeed } from '../../../../apps/server/src/testing/runner/thoroughness.ts';
import { addCollaborator } from '../../../../apps/server/src/testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../../../apps/server/src/testing/service/test-service.ts';
import { Bottega, type Session } from '../index.ts';
import { breakableSockets } from './breakable-socket.fixture.ts';
import type { LiveFile, LiveSession } from './index.ts';
import { isWithinCharacter } from './text-diff.ts';

const service = useTestService({
  role: 'api',
  settings: { BOTTEGA_LIVE_SOCKETS: '1000', BOTTEGA_LIVE_SAVE_PAUSE: '50' },
});
let [ada, bob]: TestUser[] = [];
let projectId: string;
let session: Session;

const clientOf = (user: TestUser | undefined) => new Bottega({ baseUrl: service.url, token: user?.key });

beforeAll(async () => {
  [ada, bob] = [await service.createUser({ name: 'Ada' }), await service.createUser({ name: 'Bob' })];
  projectId = (await clientOf(ada).projects.create({ name: 'Live' })).id;
  await addCollaborator(service, projectId, bob as TestUser, {
    role: 'editor',
    permissions: ['read', 'write', 'comment'],
  });
  session = await clientOf(ada).sessions.create({ name: 'Pairing', workspace_id: projectId });
});

const write = (path: string, content: string) => clientOf(ada).files.write(projectId, { path, content });
const contentOf = async (path: string) => {
  const file = (
    await clientOf(ada).files.list(projectId, { path: path.slice(0, path.lastIndexOf('/')) || '/' })
  ).data.find((one) => one.path === path);
  return (await clientOf(ada).files.read(projectId, file?.id ?? 'none')).text();
};

describe('two people who edit one file', () => {
  let [one, other]: LiveSession[] = [];
  beforeAll(async () => {
    one = await clientOf(ada).sessions.join(session.session_id);
    other = await clientOf(bob).sessions.join(session.session_id);
    return async () => {
      await one?.close();
      await other?.close();
    };
  });
  async function opened(path: string, content: string): Promise<[LiveFile, LiveFile]> {
    await write(path, content);
    return [await (one as LiveSession).open(path), await (other as LiveSession).open(path)];
  }

  test('see what the other types, and end with the same text', async () => {
    const [mine, theirs] = await opened('/a.txt', 'hello world\n');
    const heard: unknown[] = [];
    theirs.on('change', ({ splices, userId }) => heard.push(splices, userId));
    mine.insert(5, ' dear');
    theirs.replace(6, 11, 'moon');
    await Promise.all([mine.durable(), theirs.durable()]);
    await waitFor('both are the same', () => mine.text === theirs.text);
    expect(mine.text).toBe('hello dear moon\n');
    expect(heard).toEqual([[{ from: 5, to: 5, insert: ' dear' }], ada?.id]);
  });

  test('can save it as a commit', async () => {
    const [mine] = await opened('/saved.txt', 'one\n');
    mine.setText('one\ntwo\n');
    const { commitSha } = await mine.save();
    expect(await contentOf('/saved.txt')).toBe('one\ntwo\n');
    expect((await clientOf(ada).commits.get(projectId, commitSha ?? '')).files).toMatchObject([{ path: '/saved.txt' }]);
  });

  test('see cursors, comments and each other', async () => {
    const [mine] = await opened('/seen.txt', 'one\ntwo\n');
    const cursor = new Promise((resolve) => other?.on('cursor_move', resolve));
    mine.moveCursor(4, 7);
    const place = { position: { line: 2, column: 1 }, selection_end: { line: 2, column: 4 } };
    expect(await cursor).toMatchObject({ file_path: '/seen.txt', user_id: ada?.id, ...place });
    const comment = new Promise((resolve) => other?.on('comment_created', resolve));
    await one?.comment({ file_path: '/seen.txt', position: { line: 1, column: 1 }, content: 'Why?' });
    expect(await comment).toMatchObject({ comment: { content: 'Why?' } });
    await waitFor('both are there', () => one?.participants.length === 2);
  });

  test('keep editing under a new path, and are told of a deletion', async () => {
    const [mine, theirs] = await opened('/old.txt', 'text');
    const moved = new Promise((resolve) => theirs.on('renamed', resolve));
    await one?.renameFile('/old.txt', '/new.txt');
    expect(await moved).toEqual({ path: '/new.txt' });
    theirs.insert(0, 'more ');
    await theirs.durable();
    expect([mine.path, theirs.path]).toEqual(['/new.txt', '/new.txt']);
    await waitFor('both have it', () => mine.text === 'more text');
    const closed = [mine, theirs].map((file) => new Promise((resolve) => file.on('closed', resolve)));
    await other?.deleteFile('/new.txt');
    await Promise.all(closed);
    expect(() => mine.insert(0, 'x')).toThrow('/new.txt is closed');
  });

  test('are told what the service refuses, and keep the rest', async () => {
    const [mine] = await opened('/refused.txt', 'x');
    expect(() => mine.insert(5, 'beyond')).toThrow(RangeError);
    expect(() => mine.insert(0, '\ud800')).toThrow(RangeError);
    await expect(one?.open('/nothing.txt')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const refused = new Promise((resolve) => mine.on('refused', resolve));
    mine.insert(0, 'y'.repeat(3_000_000));
    await expect(mine.applied()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await refused;
  });
});

test('a user who is not let in is told why', async () => {
  const stranger = clientOf(await service.createUser());
  await expect(stranger.sessions.join(session.session_id)).rejects.toMatchObject({ code: 'INVALID_SESSION' });
});

test('the end of a session closes its files', async () => {
  const short = await clientOf(ada).sessions.create({ name: 'Short', workspace_id: projectId });
  await write('/short.txt', 'x');
  const live = await clientOf(ada).sessions.join(short.session_id);
  const file = await live.open('/short.txt');
  const closed = new Promise((resolve) => live.on('closed', resolve));
  await clientOf(ada).sessions.end(short.session_id);
  expect(await closed).toMatchObject({ code: 'INVALID_SESSION' });
  expect([live.status, () => file.insert(0, 'y')]).toEqual(['closed', expect.any(Function)]);
  await expect(file.durable()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

describe('several clients with slow and breaking connections', () => {
  const seeds = Array.from({ length: fuzzRuns(60, 4) }, (_, index) => fuzzSeed + index);
  const users = () => [ada, bob, ada, bob];

  async function joined(random: Random, path: string) {
    return Promise.all(
      users().map(async (user) => {
        const max = random.chance(0.5) ? 12 : 0;
        const { WebSocket, breakOff } = breakableSockets(() => random.below(max + 1));
        const live = await clientOf(user).sessions.join(session.session_id, { WebSocket });
        return { live, breakOff, file: await live.open(path) };
      }),
    );
  }
  type Joined = Awaited<ReturnType<typeof joined>>;

  async function settled(clients: Joined): Promise<string> {
    await Promise.all(clients.map(({ file }) => file.durable()));
    const texts = () => new Set(clients.map(({ file }) => file.text));
    await waitFor('all have the same text', () => texts().size === 1).catch(() => expect([...texts()]).toEqual([]));
    await clients[0]?.file.save();
    return clients[0]?.file.text ?? '';
  }

  test.each(seeds)('end with the text of the service, with seed %i (L1)', async (seed) => {
    const random = seededRandom(seed);
    const path = `/fuzz/${seed}.txt`;
    await write(path, randomText(random, 20));
    const clients = await joined(random, path);
    for (let step = 0; step < 60; step++) {
      const { file, breakOff } = random.pick(clients);
      editAtRandom(random, file);
      if (random.chance(0.06)) breakOff();
      if (random.chance(0.03)) await write(path, `${randomText(random)}${await contentOf(path)}`);
      if (random.chance(0.5)) await delay(random.below(15));
    }
    const text = await settled(clients);
    expect(await contentOf(path)).toBe(text);
    await Promise.all(clients.map(({ live }) => live.close()));
  });

  test.each(seeds)('lose nothing that was typed, and have nothing twice, with seed %i (L24)', async (seed) => {
    const random = seededRandom(seed);
    const path = `/once/${seed}.txt`;
    await write(path, 'begin\nend\n');
    const clients = await joined(random, path);
    const typed: string[] = [];
    for (let step = 0; step < 80; step++) {
      const { file, breakOff } = random.pick(clients);
      // Each insert is one character, so that no other can split it.
      const sign = String.fromCodePoint(0x4e00 + step);
      typed.push(sign);
      file.insert(randomPosition(random, file.text), random.chance(0.3) ? `${sign}\n` : sign);
      if (random.chance(0.1)) breakOff();
      if (random.chance(0.5)) await delay(random.below(15));
    }
    const text = await settled(clients);
    const found = [...text.matchAll(/[\u4e00-\u4fff]/g)].map(([sign]) => sign);
    expect(found.toSorted()).toEqual(typed.toSorted());
    await Promise.all(clients.map(({ live }) => live.close()));
  });
});

function editAtRandom(random: Random, file: LiveFile): void {
  const { text } = file;
  const [one, another] = [randomPosition(random, text), randomPosition(random, text)];
  const from = Math.min(one, another);
  const end = Math.min(Math.max(one, another), from + 12);
  const to = isWithinCharacter(text, end) ? end - 1 : end;
  if (to <= from || random.chance(0.6)) file.insert(from, randomText(random));
  else if (random.chance(0.5)) file.delete(from, to);
  else file.replace(from, to, randomText(random));
}
