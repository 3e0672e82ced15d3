import { ChangeSet } from '@codemirror/state';
import { textOf } from './positions.ts';
import { diffTexts, type Piece } from './text-diff.ts';

/**
 * A three-way merge: the changes from `base` to `theirs`, as a change of `ours`. It overwrites nothing that was typed.
 * If both changed the same place, both changes stay; if both made the same change, it is applied once.
 */
export function mergeOf(base: string, ours: string, theirs: string): ChangeSet {
  if (ours === theirs) return ChangeSet.empty(ours.length);
  if (base === ours) return asSet(diffTexts(ours, theirs), ours.length);
  const mine = diffTexts(base, ours);
  const alike = new Set(mine.map(nameOf));
  const theirsOnly = diffTexts(base, theirs).filter((piece) => !alike.has(nameOf(piece)));
  return asSet(theirsOnly, base.length).map(asSet(mine, base.length));
}

/** A change that turns `ours` into `theirs`. */
export const replacementOf = (ours: string, theirs: string): ChangeSet => asSet(diffTexts(ours, theirs), ours.length);

const nameOf = ({ from, to, insert }: Piece): string => `${from} ${to} ${insert}`;

const asSet = (pieces: Piece[], length: number): ChangeSet =>
  ChangeSet.of(
    pieces.map(({ from, to, insert }) => ({ from, to, insert: textOf(insert) })),
    length,
  );
