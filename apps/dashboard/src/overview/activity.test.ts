import { expect, test } from 'vitest';
import { happenedOf } from './activity.ts';

const event = (type: string, data: Record<string, unknown>) => ({
  event: type,
  timestamp: '2026-01-02T03:04:05.678Z',
  webhook_id: 'stream',
  delivery_id: 'evt_1',
  data,
});
const file = (type: string, path: string, name: string) =>
  event(type, { file_path: path, updated_by: { name, email: 'x@example.com' } });

test('consecutive file changes by one person share one line, and every other event has its own line', () => {
  const told = happenedOf([
    file('file.updated', '/a.txt', 'Ada'),
    file('file.created', '/b.txt', 'Ada'),
    file('file.updated', '/c.txt', 'Bob'),
    event('deployment.failed', { environment: 'production', deployed_by: null }),
    event('something.new', {}),
  ]);
  expect(told.map(({ type, who, what, count }) => [type, who, what, count])).toEqual([
    ['file.updated', 'Ada', '/a.txt', 2],
    ['file.updated', 'Bob', '/c.txt', 1],
    ['deployment.failed', null, 'production', 1],
  ]);
});
