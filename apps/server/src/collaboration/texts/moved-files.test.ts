import { expect, test } from 'vitest';
import { readMoved } from '../../events/index.ts';
import { inTurn } from '../../foundation/concurrency/in-turn.ts';
import { rowsRead } from '../../testing/parts/rows-read.ts';
import { inProject, newPlace, writeFile } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import type { LiveText } from './live-text.ts';
import { followEvents } from './moved-files.ts';
import type { Room } from './room.ts';

const service = useTestService();

test('moved files are found from the events since the last look, without reading earlier events', async () => {
  const place = await newPlace(service);
  await service.pool.query(
    // The event is old: a transaction of another test on the same server may have begun before this one.
    `insert into events (id, type, account_id, project_id, data, xid)
     select 'evt_' || n, 'file.updated', $1, $2, '{"file_id": "before"}', '3' from generate_series(1, 5000) n`,
    [place.user.id, place.projectId],
  );
  await service.pool.query('analyze events');
  const { seen } = await readMoved(service.db, null);
  const read = async () => rowsRead(service.db, 'events', (trx) => readMoved(trx, seen));
  expect(await read()).toBeLessThan(10);
  const { id } = await writeFile(place, '/a.txt');
  expect(await read()).toBeLessThan(10);
  const { files } = await readMoved(service.db, seen);
  expect(files).toEqual([{ project_id: place.projectId, file_id: id, path: '/a.txt', former_path: null }]);
});

test('only the texts whose files were changed, moved or deleted are checked', async () => {
  const place = await newPlace(service);
  const file = await writeFile(place, '/a.txt');
  const other = await writeFile(place, '/b.txt');
  const room = { projectId: place.projectId } as Room;
  const text = { fileId: file.id, path: '/a.txt' } as LiveText;
  const events = followEvents(service.db);
  expect((await events.read()).hasFileOf(room, text), 'nobody knows what happened before').toBe(true);
  events.done();
  expect((await events.read()).hasFileOf(room, text)).toBe(false);
  await inProject(place, 'POST', '/commits', {
    json: { changes: [{ action: 'move', path: '/a.txt', new_path: '/c.txt' }] },
  });
  const moved = await events.read();
  expect(moved.hasFileOf(room, text)).toBe(true);
  expect(moved.hasFileOf(room, { fileId: other.id, path: '/b.txt' } as LiveText)).toBe(false);
  expect((await events.read()).hasFileOf(room, text), 'until it was seen to').toBe(true);
  events.done();
  expect((await events.read()).hasFileOf(room, text)).toBe(false);
});

test('all items get their turn, even if their number changes', () => {
  const next = inTurn<number>(2);
  expect([next([1, 2, 3]), next([1, 2, 3]), next([1, 2, 3])]).toEqual([[1, 2], [3], [1, 2]]);
  expect(next([1])).toEqual([1]);
});
