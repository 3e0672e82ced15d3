import type { MergeConflict, Resolution } from '@bottega/contract';

/** The user's decision about one conflict; `open` until they decide. */
export type Decision = { kind: 'open' | 'content'; text: string } | { kind: 'ours' | 'theirs' };

export type Decisions = ReadonlyMap<string, Decision>;

/** Git's conflict markers. A line of a document rarely looks like one. If it does, the user can take one side. */
const marker = /^(<{7}|>{7}) /m;

/** The initial state of a conflict: nothing is decided, and the text is git's merge result. */
export const firstDecision = ({ merged, ours, theirs }: MergeConflict): Decision => ({
  kind: 'open',
  text: merged ?? ours?.content ?? theirs?.content ?? '',
});

export const edited = (text: string): Decision => ({ kind: marker.test(text) ? 'open' : 'content', text });

/** Whether the sides can be shown as text and the result can be edited. */
export const isText = ({ binary, kind, ours, theirs }: MergeConflict): boolean =>
  !binary &&
  kind !== 'submodule' &&
  [ours, theirs].some((side) => side !== null) &&
  [ours, theirs].every((side) => side === null || (side.content !== null && side.mode.startsWith('100')));

export const countResolved = (conflicts: readonly MergeConflict[], decisions: Decisions): number =>
  conflicts.filter(({ path }) => isResolved(decisions.get(path))).length;

export const isResolved = (decision: Decision | undefined): boolean =>
  decision !== undefined && decision.kind !== 'open';

/** The resolutions to send, once all conflicts are resolved. */
export function resolutionsOf(decisions: Decisions): Resolution[] {
  return [...decisions].flatMap(([path, decision]): Resolution[] => {
    if (decision.kind === 'open') return [];
    return decision.kind === 'content' ? [{ path, content: decision.text }] : [{ path, take: decision.kind }];
  });
}
