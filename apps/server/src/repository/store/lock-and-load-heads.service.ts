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
 * Locks projects and loads their heads. Of a cached head, only the files that it lacks are loaded: the tree of a large
 * directory is large too. It takes one round trip if the cached heads are valid or missing. Otherwise, a second one loads
 * them.
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
  const loading = (turn: Turn, known?: KnownHead): Question<Promise<HeadState>> =>
    loadingPlaces(trx, turn, pathsOf(turn), known?.state.directories);
  const lacking = unknown.map((turn) => loading(turn, taken[turns.indexOf(turn)]));
  const [locked, stamps, ...loaded] = await askTogether(trx, [locking, stamping, ...lacking]);
  const holds = (index: number): boolean => {
    const head = taken[index];
    return head !== undefined && stamps[index] === head.stamp;
  };
  const outdated = turns.filter((turn, index) => taken[index] && !holds(index) && locked.has(turn.projectId));
  const whole = outdated.map((turn) => loading(turn));
  const reloaded = whole.length > 0 ? await askTogether(trx, whole) : [];
  const fresh = new Map<Turn, HeadState>();
  for (const [index, turn] of unknown.entries()) fresh.set(turn, loaded[index] as HeadState);
  for (const [index, turn] of outdated.entries()) fresh.set(turn, reloaded[index] as HeadState);
  const heads = turns.map((turn, index): KnownHead | undefined => {
    const [state, former] = [fresh.get(turn), holds(index) ? taken[index] : undefined];
    if (!state) return former;
    return former ? joined(former, state, pathsOf(turn)) : knownHead(turn, state, pathsOf(turn));
  });
  return { locked, heads };
}
