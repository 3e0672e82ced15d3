import type { Ref } from './refs.sql.ts';

/** A requested update of one reference. Null means that it does not exist. */
export type RefUpdate = { name: string; from: Buffer | null; to: Buffer | null };

/** Why the update is refused, given the current references. Called while they are locked. */
export function whyNotNow({ name, from, to }: RefUpdate, present: PresentRefs): string | null {
  const now = present.shaOf(name);
  if (!(now === null ? from === null : from?.equals(now))) {
    if (!to && now === null) return 'there is no such reference';
    return now === null ? 'it was deleted in the meantime; fetch first' : 'it was changed in the meantime; fetch first';
  }
  if (!to) return null;
  const other = present.inTheWayOf(name);
  if (other !== null) return `its name conflicts with ${other}`;
  return now === null && present.count() >= maxRefs ? `a repository can have at most ${maxRefs} references` : null;
}

/** Maximum number of references of a project, because every clone, fetch and push lists all of them. */
const maxRefs = 10_000;

export type PresentRefs = {
  shaOf(name: string): Buffer | null;
  /**
   * The existing reference that prevents this one. Git stores references as files, so `a` and `a/b` cannot both exist.
   */
  inTheWayOf(name: string): string | null;
  count(): number;
  put(name: string, sha: Buffer): void;
  remove(name: string): void;
};

/** The current references. Both a push and a project may have thousands, so no lookup scans all of them. */
export function presentRefs(refs: Iterable<Pick<Ref, 'name' | 'sha'>>): PresentRefs {
  const shas = new Map<string, Buffer>();
  const below = new Map<string, Set<string>>();
  const put = (name: string, sha: Buffer): void => {
    shas.set(name, sha);
    for (const above of foldersOf(name)) below.set(above, (below.get(above) ?? new Set()).add(name));
  };
  for (const { name, sha } of refs) put(name, sha);
  return {
    put,
    shaOf: (name) => shas.get(name) ?? null,
    count: () => shas.size,
    inTheWayOf(name) {
      const [first] = below.get(name) ?? [];
      return first ?? foldersOf(name).find((above) => shas.has(above)) ?? null;
    },
    remove(name) {
      shas.delete(name);
      for (const above of foldersOf(name)) below.get(above)?.delete(name);
    },
  };
}

/**
 * The folders of a reference: `refs/heads/a/b` is below `refs/heads/a`. Folders that contain every reference are left
 * out.
 */
function foldersOf(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(3).map((_, index) => parts.slice(0, index + 3).join('/'));
}
