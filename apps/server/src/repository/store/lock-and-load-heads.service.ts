import { askTogether, type Question, type Trx } from '../../foundation/db/index.ts';
import type { Writers } from '../../projects/index.ts';
import type { HeadAt } from '../objects/ref-names.ts';
import { type HeadState, readingStamps } from './head.sql.ts';
import { joined, type KnownHead, knownHead, knowsAll } from './known-heads.ts';
import type { Put } from './put.ts';
import { loadingPlaces } from './staged-head.service.ts';

/** The files that are written to one branch of a project. */
export type Turn = HeadAt & { puts: Put[] };
export type Locking = Question<Map<string, Writers>, never>;

/** The locked projects, and the head of each turn. A head is undefined if its project is not locked. */
type Known = {
  locked: Map<string, Writers>;
  heads: (KnownHead | undefined)[];
};

export const pathsOf = ({ puts }: Pick<Turn, 'puts'>): string[] => puts.map(({ path }) => path);

/**
 * Locks projects and loads their heads. It takes one round trip if the cached heads are valid or missing. Otherwise, a
 * second one loads them.
 */
export async function lockAndLoadHeads(
  trx: Trx,
  turns: Turn[],
  taken: (KnownHead | undefined)[],
  locking: Locking,
): Promise<Known> {
  const isEnough = taken.map((head, index) => head !== undefined && knowsAll(head, pathsOf(turns[index] as Turn)));
  const unknown = turns.filter((_, index) => !isEnough[index]);
  const stamping = readingStamps(turns);
  const loading = (turn: Turn): Question<Promise<HeadState>> => loadingPlaces(trx, turn, pathsOf(turn));
  const [locked, stamps, ...loaded] = await askTogether(trx, [locking, stamping, ...unknown.map(loading)]);
  const holds = (index: number): boolean => {
    const head = taken[index];
    return head !== undefined && stamps[index] === head.stamp;
  };
  const outdated = turns.filter((turn, index) => isEnough[index] && !holds(index) && locked.has(turn.projectId));
  const reloaded = outdated.length > 0 ? await askTogether(trx, outdated.map(loading)) : [];
  const fresh = new Map<Turn, HeadState>();
  for (const [index, turn] of unknown.entries()) fresh.set(turn, loaded[index] as HeadState);
  for (const [index, turn] of outdated.entries()) fresh.set(turn, reloaded[index] as HeadState);
  const heads = turns.map((turn, index): KnownHead | undefined => {
    const [state, former] = [fresh.get(turn), holds(index) ? taken[index] : undefined];
    if (!state) return former;
    const head = knownHead(turn, state, pathsOf(turn));
    return former ? joined(former, head) : head;
  });
  return { locked, heads };
}
