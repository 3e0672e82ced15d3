import { expect, test } from 'vitest';
import { whereLinkLeads } from './link-target.ts';

const links = new Map(
  Object.entries({
    '/a': 'real/a',
    '/real/up': '../b',
    '/dir': 'real/./',
    '/through': 'dir/up',
    '/self': 'self',
    '/one': 'two',
    '/two': 'one',
    '/out': '../x',
    '/far': 'real/../../../etc/passwd',
    '/host': '/etc/passwd',
    '/absolute': '/workspace/dist/real/a',
    '/neighbour': '/workspace/distant/a',
    '/again': '/workspace/dist/../dist/a',
    '/root': '.',
    '/long': `${'./'.repeat(5_000)}a`,
  }),
);

test.each([
  ['/a', '/real/a'],
  ['/real/up', '/b'],
  ['/through', '/b'],
  ['/absolute', '/real/a'],
  ['/root', ''],
])('%s leads to %s', (path, place) => {
  expect(whereLinkLeads(path, links, '/workspace/dist')).toBe(place);
});

test.each(['/self', '/one', '/out', '/far', '/host', '/neighbour', '/again', '/long'])(
  '%s leads to nothing',
  (path) => {
    expect(whereLinkLeads(path, links, '/workspace/dist')).toBeNull();
  },
);
