import { ChangeSet, type Text } from '@codemirror/state';
import type * as Y from 'yjs';
import { splitsPair, textOf } from './positions.ts';

/** Placeholder for an embedded object of a Yjs client until the object is removed. */
const objectPlaceholder = '\ufffc';

export type ObservedChange = { changes: ChangeSet; hasNonText: boolean };

/**
 * The changes that a Yjs transaction made. Null if the event is not reliable: when a client splits a surrogate pair,
 * Yjs replaces both halves without reporting it.
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

/** The text with Yjs's own length, in which a placeholder stands for each object. */
export function wholeText(text: Y.Text): string {
  return text
    .toDelta()
    .map(({ insert }: { insert: unknown }) => (typeof insert === 'string' ? insert : objectPlaceholder))
    .join('');
}

/** Offsets of content that a text file cannot contain: NULs, and objects, which Yjs allows between characters. */
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
