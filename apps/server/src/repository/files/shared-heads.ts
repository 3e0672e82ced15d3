import type { OnHead } from '../store/index.ts';

export type SharedHeads = {
  /** Whether another node has been seen to write to the project just now. */
  isShared(projectId: string): boolean;
  /** After a group of writes that was made here. */
  noteGroup: OnHead;
  /** After a write that the owner made for this node, which is not another's. */
  notePassed(projectId: string): void;
};

type Left = { commit: Buffer | null; at: number };

/** A head that moved in a longer time than this was not moved by somebody who writes all the time. */
const soonMs = 2_000;
const sharedMs = 10_000;
const mostProjects = 10_000;

/**
 * Who finds another head than it has just left shares the project with another node: their groups wait for each other at
 * the project's row. A project that has one writer is never noticed here.
 */
export function watchHeads(now: () => number = Date.now): SharedHeads {
  const left = new Map<string, Left>();
  const sharedUntil = new Map<string, number>();

  return {
    isShared(projectId) {
      const until = sharedUntil.get(projectId);
      if (until === undefined || now() < until) return until !== undefined;
      sharedUntil.delete(projectId);
      return false;
    },
    noteGroup(projectId, found, commit) {
      const last = left.get(projectId);
      if (last && now() - last.at < soonMs && !isSame(last.commit, found)) {
        sharedUntil.set(projectId, now() + sharedMs);
        forgetFirst(sharedUntil);
      }
      left.delete(projectId);
      left.set(projectId, { commit, at: now() });
      forgetFirst(left);
    },
    notePassed: (projectId) => void left.delete(projectId),
  };
}

const isSame = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other);

function forgetFirst(map: Map<string, unknown>): void {
  if (map.size > mostProjects) for (const [first] of map) return void map.delete(first);
}
