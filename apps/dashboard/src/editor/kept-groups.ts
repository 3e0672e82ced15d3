import { type Groups, oneGroup } from './groups.ts';

/** The groups of tabs as this browser remembers them: a list of paths, or two groups with the files that they show. */

type Owner = { userId: string; projectId: string };

const maxPaths = 50;
const prefix = 'bottega-tabs ';

const keyOf = ({ userId, projectId }: Owner): string => `${prefix}${userId} ${projectId}`;

/** Reads the stored groups. The browser's storage may be full or switched off, so a reload may show fewer tabs. */
export function readGroups(owner: Owner): Groups {
  try {
    return groupsIn(JSON.parse(localStorage.getItem(keyOf(owner)) ?? '[]'));
  } catch {
    return oneGroup([]);
  }
}

export function keepGroups(owner: Owner, groups: Groups): void {
  try {
    const kept = keptOf(groups);
    if (kept === null) localStorage.removeItem(keyOf(owner));
    else localStorage.setItem(keyOf(owner), JSON.stringify(kept));
  } catch {
    // The tabs of this page stay as they are.
  }
}

export function dropAllGroups(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

/**
 * The form in which groups are stored. Null if there are no tabs. What a single group shows is not stored, because the
 * URL contains it.
 */
export function keptOf({ all, focused }: Groups): unknown {
  const groups = all.map(({ paths, shown }) => ({ paths: paths.slice(-maxPaths), shown }));
  const [first, second] = groups;
  if (second) return { groups, focused: all.findIndex(({ id }) => id === focused) };
  return first && first.paths.length > 0 ? first.paths : null;
}

/** Reads groups from whatever any version has stored. */
export function groupsIn(kept: unknown): Groups {
  if (Array.isArray(kept)) return oneGroup(textsIn(kept));
  if (!isObject(kept) || !Array.isArray(kept.groups)) return oneGroup([]);
  const all = kept.groups
    .filter(isObject)
    .map(({ paths, shown }) => ({ paths: textsIn(paths), shown: textsIn([shown])[0] }))
    .filter(({ paths }) => paths.length > 0)
    .slice(0, 2)
    .map((group, id) => ({ id, ...group }));
  if (all.length < 2) return oneGroup(all[0]?.paths ?? []);
  return { all, focused: kept.focused === 1 ? 1 : 0 };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
