import { movedPath } from './tabs.ts';

/**
 * The tabs of a workbench by their paths, in one group or in two side by side. Only files that were shown have a text.
 * One group has the focus, and the URL names the file that it shows.
 */
export type Group = { id: number; paths: readonly string[]; shown: string | undefined };
export type Groups = { all: readonly Group[]; focused: number };

export const oneGroup = (paths: readonly string[]): Groups => ({
  all: [{ id: 0, paths, shown: undefined }],
  focused: 0,
});

const nothing: Group = { id: 0, paths: [], shown: undefined };

export const focusedIn = ({ all, focused }: Groups): Group => all.find(({ id }) => id === focused) ?? nothing;

const otherThan = ({ all }: Groups, id: number): Group | undefined => all.find((group) => group.id !== id);

/** Shows a file in the group with the focus. A file that does not exist has no tab. */
export function showIn({ all, focused }: Groups, path: string | undefined, hasTab: boolean): Groups {
  const shown = (group: Group): Group => {
    const isNew = hasTab && path !== undefined && !group.paths.includes(path);
    return { ...group, paths: isNew ? [...group.paths, path] : group.paths, shown: path };
  };
  return { all: all.map((group) => (group.id === focused ? shown(group) : group)), focused };
}

/**
 * Shows the file to which a link or the browser's history leads. If the file is open only in the other group, it is
 * shown there.
 */
export function reach(groups: Groups, path: string | undefined, hasTab: boolean): Groups {
  const holds = (group: Group | undefined) => path !== undefined && group?.paths.includes(path);
  const other = otherThan(groups, groups.focused);
  const isElsewhere = !holds(focusedIn(groups)) && holds(other);
  return showIn(isElsewhere && other ? { ...groups, focused: other.id } : groups, path, hasTab);
}

/**
 * Opens a file of a group in the other group too, and gives that group the focus. If there is no other group, creates
 * one.
 */
export function split(groups: Groups, from: number, path: string): Groups {
  const other = otherThan(groups, from);
  if (other) return showIn({ ...groups, focused: other.id }, path, true);
  const id = 1 - from;
  return { all: [...groups.all, { id, paths: [path], shown: path }], focused: id };
}

/** Makes one group of two. It shows the file that had the focus. */
export function join(groups: Groups): Groups {
  const { id, shown } = focusedIn(groups);
  const paths = [...new Set(groups.all.flatMap((group) => group.paths))];
  return { all: [{ id, paths, shown }], focused: id };
}

/**
 * Closes tabs in the group with this id, or in all groups. If a shown tab is closed, a tab beside it is shown instead.
 */
export function close(groups: Groups, isClosed: (path: string) => boolean, id?: number): Groups {
  const all = groups.all.map((group) => (id === undefined || group.id === id ? without(group, isClosed) : group));
  return withoutEmpty({ ...groups, all });
}

function without(group: Group, isClosed: (path: string) => boolean): Group {
  const { paths, shown } = group;
  const left = paths.filter((path) => !isClosed(path));
  if (shown === undefined || !isClosed(shown)) return { ...group, paths: left };
  const index = paths.indexOf(shown);
  const after = paths.slice(index).find((path) => !isClosed(path));
  return { ...group, paths: left, shown: after ?? paths.slice(0, index).findLast((path) => !isClosed(path)) };
}

/** Removes a group without tabs, unless it is the only group. */
function withoutEmpty({ all, focused }: Groups): Groups {
  const filled = all.filter(({ paths }) => paths.length > 0);
  const left = filled.length > 0 ? filled : all.slice(0, 1);
  return { all: left, focused: (left.find(({ id }) => id === focused) ?? left[0] ?? nothing).id };
}

/** Removes tabs that the user has not closed. The group with the focus still shows what the URL names. */
export function drop(groups: Groups, isGone: (path: string) => boolean): Groups {
  const { id, shown } = focusedIn(groups);
  const { all, focused } = close(groups, isGone);
  return { all: all.map((group) => (group.id === id ? { ...group, shown } : group)), focused };
}

/** Renames tabs after a file or a folder was moved. */
export function move(groups: Groups, moved: { from: string; to: string }): Groups {
  const renamed = (path: string) => movedPath(path, moved);
  const all = groups.all.map(({ id, paths, shown }) => ({
    ...{ id, paths: [...new Set(paths.map(renamed))] },
    shown: shown === undefined ? undefined : renamed(shown),
  }));
  return { ...groups, all };
}

/**
 * Adapts the groups to the open texts. A text that no longer exists was closed, so its tab is removed. A new text gets
 * a tab in the group with the focus.
 */
export function follow(groups: Groups, before: readonly string[], now: readonly string[]): Groups {
  const moves = before.flatMap((from, index) => {
    const to = before.length === now.length ? now[index] : undefined;
    return to === undefined || now.includes(from) || before.includes(to) ? [] : [{ from, to }];
  });
  const moved = moves.reduce(move, groups);
  const isKnown = (path: string) => moved.all.some(({ paths }) => paths.includes(path));
  const isClosed = (path: string) => before.includes(path) && !now.includes(path);
  const opened = now.filter((path) => !before.includes(path) && !isKnown(path));
  const added = { ...moved, all: moved.all.map((group) => withTabs(group, group.id === moved.focused ? opened : [])) };
  return drop(added, isClosed);
}

const withTabs = (group: Group, opened: readonly string[]): Group => ({
  ...group,
  paths: [...group.paths, ...opened],
});
