import { expect, test } from 'vitest';
import { close, drop, focusedIn, follow, type Groups, join, move, oneGroup, reach, showIn, split } from './groups.ts';
import { groupsIn, keptOf } from './kept-groups.ts';

const tabsOf = ({ all }: Groups) => all.map(({ paths }) => paths.join(' '));
const shownIn = ({ all }: Groups) => all.map(({ shown }) => shown);

/** `/a` and `/b` at the left, `/c` at the right, which has the focus. */
const two = split(showIn(oneGroup(['/a', '/b']), '/b', true), 0, '/c');

test('an opened file is added at the end of the focused group, and all other tabs stay', () => {
  expect(tabsOf(showIn(oneGroup(['/a']), '/b', true))).toEqual(['/a /b']);
  const opened = showIn(two, '/a', true);
  expect(tabsOf(opened)).toEqual(['/a /b', '/c /a']);
  expect(shownIn(opened)).toEqual(['/b', '/a']);
});

test('a file that does not exist has no tab', () => {
  const shown = showIn(oneGroup(['/a']), '/typo', false);
  expect(tabsOf(shown)).toEqual(['/a']);
  expect(focusedIn(shown).shown).toBe('/typo');
});

test('a split creates a second group with the file and focuses it', () => {
  const groups = split(showIn(oneGroup(['/a']), '/a', true), 0, '/a');
  expect(tabsOf(groups)).toEqual(['/a', '/a']);
  expect(groups.focused).toBe(groups.all[1]?.id);
});

test('with two groups, a split opens the file in the other group', () => {
  const groups = split(two, two.focused, '/c');
  expect(tabsOf(groups)).toEqual(['/a /b /c', '/c']);
  expect(groups.focused).toBe(0);
});

test('a link opens the group that has the file, or else the focused group', () => {
  expect(reach(two, '/a', true).focused).toBe(0);
  expect(tabsOf(reach(two, '/a', true))).toEqual(['/a /b', '/c']);
  expect(tabsOf(reach(two, '/d', true))).toEqual(['/a /b', '/c /d']);
});

test('closing a tab shows the tab beside it', () => {
  const groups = showIn(oneGroup(['/a', '/b', '/c']), '/b', true);
  expect(focusedIn(close(groups, (path) => path === '/b', 0)).shown).toBe('/c');
  expect(focusedIn(close(groups, (path) => path !== '/a', 0)).shown).toBe('/a');
  expect(focusedIn(close(groups, (path) => path === '/a', 0)).shown).toBe('/b');
});

test('closing the last tab of a group closes the group, and the other group keeps its identity and gets the focus', () => {
  const groups = close(two, (path) => path === '/c', two.focused);
  expect(tabsOf(groups)).toEqual(['/a /b']);
  expect(focusedIn(groups).shown).toBe('/b');
  const right = close(two, () => true, 0);
  expect(right.all.map(({ id }) => id)).toEqual([two.focused]);
  expect(split(right, two.focused, '/c').all.map(({ id }) => id)).toEqual([two.focused, 0]);
});

test('a tab is closed in one group only', () => {
  const groups = split(two, 0, '/a');
  expect(tabsOf(close(groups, (path) => path === '/a', 0))).toEqual(['/b', '/c /a']);
});

test('joined groups keep all tabs and show the tab that had the focus', () => {
  const joined = join(split(two, 0, '/a'));
  expect(tabsOf(joined)).toEqual(['/a /b /c']);
  expect(focusedIn(joined).shown).toBe('/a');
});

test('a moved file keeps the position of its tab in both groups, even if a folder above it was moved', () => {
  const groups = split(showIn(oneGroup(['/d/a', '/b']), '/d/a', true), 0, '/d/a');
  const moved = move(groups, { from: '/d', to: '/e' });
  expect(tabsOf(moved)).toEqual(['/e/a /b', '/e/a']);
  expect(shownIn(moved)).toEqual(['/e/a', '/e/a']);
});

test('tabs follow the open texts when a text is closed, opened or moved', () => {
  const groups = showIn(oneGroup(['/a', '/b']), '/a', true);
  expect(tabsOf(follow(groups, [], ['/b']))).toEqual(['/a /b']);
  expect(tabsOf(follow(groups, ['/b'], ['/b', '/c']))).toEqual(['/a /b /c']);
  expect(tabsOf(follow(groups, ['/a', '/b'], ['/a']))).toEqual(['/a']);
  expect(tabsOf(follow(groups, ['/a', '/b'], ['/x', '/b']))).toEqual(['/x /b']);
  expect(tabsOf(follow(groups, ['/a', '/b'], ['/b', '/c']))).toEqual(['/b /c']);
});

test('a text that closes without a click leaves the URL to the focused group', () => {
  const groups = drop(showIn(oneGroup(['/a', '/b']), '/a', true), (path) => path === '/a');
  expect(tabsOf(groups)).toEqual(['/b']);
  expect(focusedIn(groups).shown).toBe('/a');
  expect(shownIn(drop(two, (path) => path === '/b'))).toEqual(['/a', '/c']);
});

test('stored groups are restored, also from an earlier format, and invalid data becomes one empty group', () => {
  const kept = (groups: Groups) => groupsIn(JSON.parse(JSON.stringify(keptOf(groups))));
  expect(kept(two)).toEqual(two);
  expect(kept({ ...two, focused: 0 }).focused).toBe(0);
  expect(tabsOf(kept(oneGroup(['/a', '/b'])))).toEqual(['/a /b']);
  expect(keptOf(oneGroup([]))).toBeNull();
  expect(tabsOf(groupsIn(['/a', 7, '/b']))).toEqual(['/a /b']);
  for (const nonsense of [null, 7, {}, { groups: 'x' }, { groups: [null, { paths: 1 }] }]) {
    expect(groupsIn(nonsense)).toEqual(oneGroup([]));
  }
  expect(tabsOf(groupsIn({ groups: [{ paths: ['/a'] }, { paths: [] }] }))).toEqual(['/a']);
});
