import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import { contentAt, history, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { checkPreconditions } from '../files/preconditions.ts';
import { prepareBlob } from './blobs.ts';
import type { Put, PutDone } from './put.ts';
import { groupPuts } from './write-group.service.ts';

const service = useTestService({ role: 'api' });

type Room = Place & { user: TestUser };
type Wish = { path?: string; content: string; id: string; ifNoneMatch?: string };

/** As two nodes would: each puts on its own. */
function newNode({ projectId, user }: Room) {
  const writes = {
    db: service.db,
    writeQueue: keyedQueue(),
    quota: async () => undefined,
    publicUrl: () => service.url,
  };
  const put = groupPuts(writes, () => undefined);
  return async (isBack: boolean, { path = '/a.txt', content, id, ifNoneMatch }: Wish): Promise<PutDone> => {
    const wanted: Put = {
      userId: user.id,
      cause: { actorId: user.id, requestId: `req_${id}`, idempotencyKey: null },
      path,
      blob: await prepareBlob(Buffer.from(content)),
      message: 'Write',
      check: (present) => checkPreconditions({ ifMatch: undefined, ifNoneMatch }, present?.checksum ?? null),
      passed: { id, isBack },
    };
    return put(projectId, wanted);
  };
}

const filesOf = async (room: Room) => (await history(room)).data.length;

test('a write that the owner made before its answer was lost is answered from what it made, and not made again', async () => {
  const room = await newPlace(service);
  const [owner, here] = [newNode(room), newNode(room)];
  const wish = { id: randomUUID(), content: 'first\n', ifNoneMatch: '*' };
  const made = await owner(false, wish);
  expect(await here(true, wish)).toEqual(made);
  await writeFile(room, '/a.txt', 'second\n');
  const again = await here(true, wish);
  expect(again).toMatchObject({ created: true, commit: made.commit });
  expect(again.file).toMatchObject({ id: made.file.id, size: 6, checksum: made.file.checksum });
  expect(await contentAt(room, '/a.txt')).toBe('second\n');
  expect(await filesOf(room)).toBe(2);
});

test('a write that came back is made here, and an owner that comes to itself later leaves it alone', async () => {
  const room = await newPlace(service);
  const [owner, here] = [newNode(room), newNode(room)];
  const wish = { id: randomUUID(), content: 'first\n' };
  expect(await here(true, wish)).toMatchObject({ created: true });
  await writeFile(room, '/a.txt', 'second\n');
  const other = { id: randomUUID(), path: '/b.txt', content: 'another\n' };
  const outcomes = await Promise.allSettled([owner(false, wish), owner(false, other)]);
  expect(outcomes).toMatchObject([{ status: 'rejected', reason: { status: 503 } }, { status: 'fulfilled' }]);
  expect(await contentAt(room, '/a.txt')).toBe('second\n');
  expect(await filesOf(room)).toBe(3);
});

test('a write that changed nothing, or was refused, when it came back stays so', async () => {
  const room = await newPlace(service);
  const [owner, here] = [newNode(room), newNode(room)];
  await writeFile(room, '/a.txt', 'first\n');
  const same = { id: randomUUID(), content: 'first\n' };
  const refused = { id: randomUUID(), content: 'other\n', ifNoneMatch: '*' };
  expect(await here(true, same)).toMatchObject({ created: false });
  await expect(here(true, refused)).rejects.toMatchObject({ status: 412 });
  await writeFile(room, '/a.txt', 'second\n');
  for (const wish of [same, refused]) await expect(owner(false, wish)).rejects.toMatchObject({ status: 503 });
  expect(await contentAt(room, '/a.txt')).toBe('second\n');
});
