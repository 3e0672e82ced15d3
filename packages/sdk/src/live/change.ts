/**
 * A change to a text, as a list of parts from the start of the text. A positive number keeps that many UTF-16 units, a
 * negative number deletes them, and a string is inserted. Adjacent parts of one kind are merged. At one position, the
 * insertion comes before the deletion. The rest of the text is kept.
 */
export type Change = readonly Part[];
type Part = number | string;

export type Splice = { from: number; to: number; insert: string };

/** Collects parts in their normal form. */
function builder() {
  const parts: Part[] = [];
  const last = () => parts.at(-1);
  const api = {
    pass(length: number) {
      const before = last();
      if (length === 0) return;
      if (typeof before === 'number' && before > 0) parts[parts.length - 1] = before + length;
      else parts.push(length);
    },
    remove(length: number) {
      const before = last();
      if (length === 0) return;
      if (typeof before === 'number' && before < 0) parts[parts.length - 1] = before - length;
      else parts.push(-length);
    },
    insert(text: string) {
      const before = last();
      if (text === '') return;
      if (typeof before === 'string') parts[parts.length - 1] = before + text;
      else if (typeof before === 'number' && before < 0) {
        parts.pop();
        api.insert(text);
        parts.push(before);
      } else parts.push(text);
    },
    done(): Change {
      const before = last();
      if (typeof before === 'number' && before > 0) parts.pop();
      return parts;
    },
  };
  return api;
}

/**
 * Creates a change from splices. Positions refer to the text before the change. Splices are in order and do not
 * overlap.
 */
export function changeOf(splices: readonly Splice[]): Change {
  const change = builder();
  let reached = 0;
  for (const { from, to, insert } of splices) {
    change.pass(from - reached);
    change.insert(insert);
    change.remove(to - from);
    reached = to;
  }
  return change.done();
}

/** The reverse of `changeOf`. */
export function splicesOf(change: Change): Splice[] {
  const splices: Splice[] = [];
  let reached = 0;
  let open: Splice | null = null;
  for (const part of change) {
    if (typeof part === 'number' && part > 0) {
      reached += part;
      open = null;
      continue;
    }
    if (!open) {
      open = { from: reached, to: reached, insert: '' };
      splices.push(open);
    }
    if (typeof part === 'string') open.insert += part;
    else {
      reached -= part;
      open.to = reached;
    }
  }
  return splices;
}

export function apply(text: string, change: Change): string {
  const pieces: string[] = [];
  let at = 0;
  for (const part of change) {
    if (typeof part === 'string') pieces.push(part);
    else {
      if (part > 0) pieces.push(text.slice(at, at + part));
      at += Math.abs(part);
    }
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

/** Iterates over the parts of a change in pieces of any length. After its end, everything is kept. */
function walk(change: Change) {
  let [index, used] = [0, 0];
  const current = (): Part => change[index] ?? Number.POSITIVE_INFINITY;
  const left = (): number => {
    const part = current();
    return (typeof part === 'string' ? part.length : Math.abs(part)) - used;
  };
  return {
    current,
    left,
    isDone: () => index >= change.length,
    /** The next units of the part. For an insertion, returns their text. */
    take(length: number): string {
      const part = current();
      const taken = typeof part === 'string' ? part.slice(used, used + length) : '';
      used += length;
      if (left() === 0) [index, used] = [index + 1, 0];
      return taken;
    },
  };
}

const isInsert = (part: Part): part is string => typeof part === 'string';
const isRemoval = (part: Part): boolean => typeof part === 'number' && part < 0;

/** Returns one change that has the effect of the two changes, applied one after the other. */
export function compose(first: Change, second: Change): Change {
  const [one, two, composed] = [walk(first), walk(second), builder()];
  while (!one.isDone() || !two.isDone()) {
    if (isRemoval(one.current())) {
      composed.remove(one.left());
      one.take(one.left());
    } else if (isInsert(two.current())) composed.insert(two.take(two.left()));
    else {
      const length = Math.min(one.left(), two.left());
      const [isNew, isGone] = [isInsert(one.current()), isRemoval(two.current())];
      const text = one.take(length);
      two.take(length);
      if (isNew && !isGone) composed.insert(text);
      else if (!isNew && isGone) composed.remove(length);
      else if (!isNew) composed.pass(length);
    }
  }
  return composed.done();
}

/**
 * Adjusts two concurrent changes to the same text, so that each can be applied after the other. If both insert at one
 * position, `earlier` comes first, as in the service's revisions (L3).
 */
export function rebase(earlier: Change, later: Change): { earlier: Change; later: Change } {
  const [one, two] = [walk(earlier), walk(later)];
  const [oneAfter, twoAfter] = [builder(), builder()];
  while (!one.isDone() || !two.isDone()) {
    if (isInsert(one.current())) {
      twoAfter.pass(one.left());
      oneAfter.insert(one.take(one.left()));
    } else if (isInsert(two.current())) {
      oneAfter.pass(two.left());
      twoAfter.insert(two.take(two.left()));
    } else {
      const length = Math.min(one.left(), two.left());
      const [oneRemoves, twoRemoves] = [isRemoval(one.current()), isRemoval(two.current())];
      one.take(length);
      two.take(length);
      if (oneRemoves && !twoRemoves) oneAfter.remove(length);
      else if (!oneRemoves && twoRemoves) twoAfter.remove(length);
      else if (!oneRemoves) {
        oneAfter.pass(length);
        twoAfter.pass(length);
      }
    }
  }
  return { earlier: oneAfter.done(), later: twoAfter.done() };
}

export const isEmpty = (change: Change): boolean => change.length === 0;

/**
 * Splits a change into a first change, with at most this many parts and inserted units, and the rest, which is to be
 * applied after the first.
 */
export function splitChange(change: Change, max: { parts: number; units: number }): [Change, Change] {
  let [index, units, made] = [0, 0, 0];
  for (; index < Math.min(change.length, max.parts); index += 1) {
    const part = change[index] ?? 0;
    if (typeof part === 'string' && units + part.length > max.units) break;
    if (typeof part === 'string') units += part.length;
    made += typeof part === 'string' ? part.length : Math.max(0, part);
  }
  const [head, rest] = [change.slice(0, index), change.slice(index)];
  const [next] = rest;
  if (next === undefined) return [change, []];
  const fits = typeof next === 'string' ? wholeCharacters(next, max.units - units) : '';
  if (fits !== '') rest[0] = (next as string).slice(fits.length);
  return [normal([...head, fits]), normal([made + fits.length, ...rest])];
}

function normal(parts: Change): Change {
  const change = builder();
  for (const part of parts) {
    if (typeof part === 'string') change.insert(part);
    else if (part > 0) change.pass(part);
    else change.remove(-part);
  }
  return change.done();
}

function wholeCharacters(text: string, max: number): string {
  const unit = text.charCodeAt(max - 1);
  return text.slice(0, unit >= 0xd800 && unit <= 0xdbff ? max - 1 : max);
}
