import { askTogether, type Question, type Trx } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { lockUnchangedForWriters, type WritableProject, type Writers } from '../../projects/index.ts';
import { type HeadState, headsUnchanged, readingStamps } from './head.sql.ts';
import { joined, type KnownHead, knownHead, knowsAll } from './known-heads.ts';
import { findingGivenUp, noneGivenUp } from './passed-writes.sql.ts';
import type { Put } from './put.ts';
import { loadingPlaces } from './staged-head.service.ts';

/** What some want to put into one project. */
export type Turn = { projectId: string; puts: Put[] };
export type Locking = Question<Map<string, Writers>, never>;

/** By project; and by turn, undefined where the project is not locked. */
type Known = {
  locked: Map<string, Writers>;
  heads: (KnownHead | undefined)[];
  /** Of what was passed on to this node. */
  givenUp?: ReadonlySet<string> | undefined;
};

export const pathsOf = ({ puts }: Pick<Turn, 'puts'>): string[] => puts.map(({ path }) => path);

/**
 * Where all is known that these puts have to know, nothing is asked: locks, and what has to be so behind them, go out with what
 * is written, in one journey. The transaction fails where it is not so (`isOutdated`). Null: something has to be asked.
 */
export async function confirmKnown(trx: Trx, turns: Turn[], taken: (KnownHead | undefined)[]): Promise<Known | null> {
  const known = turns.map(({ puts }, place) => isEnough(taken[place], puts));
  if (!known.every((head) => head !== null)) return null;
  const heads = known.map(({ head }) => head);
  const ids = turns.map(({ projectId }) => projectId);
  await lockUnchangedForWriters(
    trx,
    known.flatMap(({ writers }) => writers),
  );
  await headsUnchanged(
    trx,
    ids,
    heads.map(({ state }) => state),
  );
  await noneGivenUp(
    trx,
    turns.flatMap(({ puts }) => puts.flatMap(({ passed }) => passed?.id ?? [])),
  );
  return { locked: new Map(heads.map(({ writers }, place) => [ids[place] as string, writers])), heads };
}

/** What is known is enough for these puts: by whom they are, and what is at their paths. One that came back has more to ask. */
function isEnough(head: KnownHead | undefined, puts: Put[]): { head: KnownHead; writers: WritableProject[] } | null {
  if (!head || !knowsAll(head, pathsOf({ puts })) || puts.some(({ passed }) => passed?.isBack)) return null;
  const writers = new Map<string, WritableProject>();
  for (const { userId } of puts) {
    const project = head.writers.get(userId);
    if (!project || project instanceof AppError || project.stamp === undefined) return null;
    writers.set(userId, project);
  }
  return { head, writers: [...writers.values()] };
}

/** One journey where what is known of the heads still holds, or nothing is known of them; else another to load them. */
export async function lockAndKnow(
  trx: Trx,
  turns: Turn[],
  taken: (KnownHead | undefined)[],
  locking: Locking,
): Promise<Known> {
  const isEnough = taken.map((head, place) => head !== undefined && knowsAll(head, pathsOf(turns[place] as Turn)));
  const unknown = turns.filter((_, place) => !isEnough[place]);
  const stamping = readingStamps(turns.filter((_, place) => taken[place]).map(({ projectId }) => projectId));
  const passed = turns.flatMap(({ puts }) =>
    puts.flatMap((put) => (put.passed?.isBack === false ? [put.passed.id] : [])),
  );
  const others = [...unknown.map(loading), ...(passed.length > 0 ? [findingGivenUp(passed)] : [])];
  const [locked, stamps, ...loaded] = await askTogether(trx, [locking, stamping, ...others]);
  const holds = (place: number): boolean => {
    const head = taken[place];
    return head !== undefined && stamps.get((turns[place] as Turn).projectId) === head.stamp;
  };
  const outdated = turns.filter((turn, place) => isEnough[place] && !holds(place) && locked.has(turn.projectId));
  const reloaded = outdated.length > 0 ? await askTogether(trx, outdated.map(loading)) : [];
  const fresh = new Map<Turn, HeadState>();
  for (const [place, turn] of unknown.entries()) fresh.set(turn, loaded[place] as HeadState);
  for (const [place, turn] of outdated.entries()) fresh.set(turn, reloaded[place] as HeadState);
  const heads = turns.map((turn, place): KnownHead | undefined => {
    const [state, former] = [fresh.get(turn), holds(place) ? taken[place] : undefined];
    if (!state) return former;
    const head = knownHead(state, pathsOf(turn));
    return former ? joined(former, head) : head;
  });
  return { locked, heads, givenUp: loaded[unknown.length] as ReadonlySet<string> | undefined };
}

const loading = (turn: Turn): Question<Promise<HeadState>> => loadingPlaces(turn.projectId, pathsOf(turn));
