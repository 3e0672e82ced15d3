import { ChangeSet, type Text } from '@codemirror/state';
import type * as Y from 'yjs';
import { splitsPair, textOf } from './positions.ts';

/** Stands where a client of Yjs has put something that is no text, until it is taken out again. */
const objectPlaceholder = '\ufffc';

export type ObservedChange = { changes: ChangeSet; hasNonText: boolean };

/**
 * What a transaction of Yjs did to the text. Null where the event cannot be trusted: Yjs replaces both
 * halves of a character that a client cuts in two, and says nothing of it.
 */
export function changesOf(delta: Y.YTextEvent['delta'], before: Text): ObservedChange | null {
  const specs: { from: number; to: number; insert: Text }[] = [];
  let [at, hasNonText] = [0, false];
  for (const { retain, delete: deleted, insert } of delta) {
    if (splitsPair(before, at)) return null;
    if (insert !== undefined) {
      if (typeof insert !== 'string' || insert.includes('\0')) hasNonText = true;
      specs.push({ from: at, to: at, insert: textOf(typeof insert === 'string' ? insert : objectPlaceholder) });
      continue;
    }
    if (deleted !== undefined) specs.push({ from: at, to: at + deleted, insert: textOf('') });
    at += retain ?? deleted ?? 0;
  }
  if (at > before.length || splitsPair(before, at)) return null;
  return { changes: ChangeSet.of(specs, before.length), hasNonText };
}

/** As long as Yjs counts it: with a sign for whatever is no text. */
export function wholeText(text: Y.Text): string {
  return text
    .toDelta()
    .map(({ insert }: { insert: unknown }) => (typeof insert === 'string' ? insert : objectPlaceholder))
    .join('');
}

/** The offsets of what no file of text holds: objects that Yjs allows among the characters, and NULs. */
export function nonTextIn(text: Y.Text): number[] {
  const offsets: number[] = [];
  let at = 0;
  for (const { insert } of text.toDelta() as { insert: unknown }[]) {
    if (typeof insert !== 'string') offsets.push(at++);
    else {
      for (let nul = insert.indexOf('\0'); nul !== -1; nul = insert.indexOf('\0', nul + 1)) offsets.push(at + nul);
      at += insert.length;
    }
  }
  return offsets;
}
