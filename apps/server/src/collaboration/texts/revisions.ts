import type { ChangeSet, Text } from '@codemirror/state';

/**
 * The current text and recent revisions. Each stored revision has its text, which shares most of its lines with its
 * neighbours, and the change that made it. A client's change to an old revision is adjusted for the later ones. At the
 * same position, the earlier revision comes first.
 */
export type Revisions = {
  readonly text: Text;
  readonly revision: number;
  /** Approximate bytes of the earlier revisions. */
  readonly bytes: number;
  push(changes: ChangeSet): void;
  /** Null if the revision is too old or does not exist yet. */
  textAt(revision: number): Text | null;
  /** Adjusts changes to a revision for all later revisions. `textAt` must have that revision. */
  carry(changes: ChangeSet, from: number): ChangeSet;
  /** Names the change that led to the current text. */
  nameLast(name: string): void;
  /** The revision that the change with this name made, if it is still stored. */
  find(name: string): { revision: number; changes: ChangeSet; before: Text } | null;
};

type Entry = { changes: ChangeSet; before: Text; bytes: number; name?: string };
export type RingLimits = { revisions: number; bytes: number };

export function createRevisions(start: Text, startRevision: number, limits: RingLimits): Revisions {
  let text = start;
  let revision = startRevision;
  let bytes = 0;
  /** The last entry led to the current text. */
  const entries: Entry[] = [];
  const indexOf = (wanted: number) => entries.length - (revision - wanted);

  return {
    get text() {
      return text;
    },
    get revision() {
      return revision;
    },
    get bytes() {
      return bytes;
    },
    push(changes) {
      const entry: Entry = { changes, before: text, bytes: costOf(changes, text) };
      text = changes.apply(text);
      revision += 1;
      entries.push(entry);
      bytes += entry.bytes;
      while (entries.length > limits.revisions || (bytes > limits.bytes && entries.length > 0)) {
        bytes -= entries.shift()?.bytes ?? 0;
      }
    },
    nameLast(name) {
      const last = entries.at(-1);
      if (last) last.name = name;
    },
    find(name) {
      const index = entries.findLastIndex((entry) => entry.name === name);
      const entry = entries[index];
      return entry ? { ...entry, revision: revision - entries.length + index + 1 } : null;
    },
    textAt(wanted) {
      if (wanted === revision) return text;
      return wanted < revision ? (entries[indexOf(wanted)]?.before ?? null) : null;
    },
    carry(changes, from) {
      let carried = changes;
      for (const later of entries.slice(indexOf(from))) carried = carried.map(later.changes);
      return carried;
    },
  };
}

/**
 * The approximate size of a revision. A change copies the lines that it touches. In a file with one very long line,
 * that is nearly the whole text.
 */
function costOf(changes: ChangeSet, before: Text): number {
  let cost = 500;
  changes.iterChanges((from, to, _newFrom, _newTo, inserted) => {
    const [first, last] = [before.lineAt(from), before.lineAt(to)];
    cost += 2 * (last.to - first.from + inserted.length);
  });
  return cost;
}
