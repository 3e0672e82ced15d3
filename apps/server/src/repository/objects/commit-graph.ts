/**
 * A graph of the commits of a pack with their parents, in bytes that are read without decoding them first. The commits
 * are in the order of a history: newest generation first, so that every commit comes before its parents. The place of a
 * commit is its position in this order.
 */
export type GraphCommit = { sha: Buffer; parents: readonly Buffer[]; generation: number; time: number };

const shaBytes = 20;
const isOutside = 0x80000000;

/** The order of a history, as in `history.sql.ts`. */
type Placed = Pick<GraphCommit, 'sha' | 'generation' | 'time'>;
export const inHistoryOrder = (one: Placed, other: Placed): number =>
  other.generation - one.generation || other.time - one.time || Buffer.compare(one.sha, other.sha);

/** Encodes a graph. The commits have to be in the order of a history. */
export function encodeGraph(commits: readonly GraphCommit[]): Buffer {
  const places = new Map(commits.map(({ sha }, place) => [sha.toString('hex'), place]));
  const outside = new Map<string, number>();
  const parents: number[] = [];
  const ends: number[] = [];
  for (const commit of commits) {
    for (const parent of commit.parents) {
      const hex = parent.toString('hex');
      const place = places.get(hex);
      if (place === undefined && !outside.has(hex)) outside.set(hex, outside.size);
      parents.push(place ?? isOutside + (outside.get(hex) ?? 0));
    }
    ends.push(parents.length);
  }
  const bySha = [...commits.keys()].sort((one, other) =>
    Buffer.compare((commits[one] as GraphCommit).sha, (commits[other] as GraphCommit).sha),
  );
  const times = Buffer.alloc(commits.length * 6);
  for (const [place, { time }] of commits.entries()) times.writeUIntBE(time, place * 6, 6);
  return Buffer.concat([
    numbers([commits.length, outside.size]),
    ...commits.map(({ sha }) => sha),
    ...[...outside.keys()].map((hex) => Buffer.from(hex, 'hex')),
    numbers(commits.map(({ generation }) => generation)),
    numbers(bySha),
    numbers(ends),
    times,
    numbers(parents),
  ]);
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

export type Graph = {
  count: number;
  bytes: number;
  /** Undefined if the graph does not contain the commit. */
  placeOf(sha: Buffer): number | undefined;
  at(place: number): { sha: Buffer; generation: number; time: number };
  /**
   * Marks all commits that are reachable from the marked ones. Returns those of their parents that are outside the
   * graph.
   */
  spread(marks: Uint8Array): Buffer[];
};

export function openGraph(bytes: Buffer): Graph {
  const count = bytes.readUInt32BE(0);
  const shas = 8;
  const outside = shas + count * shaBytes;
  const generations = outside + bytes.readUInt32BE(4) * shaBytes;
  const bySha = generations + count * 4;
  const ends = bySha + count * 4;
  const times = ends + count * 4;
  const parents = times + count * 6;
  const shaAt = (from: number, place: number): Buffer =>
    bytes.subarray(from + place * shaBytes, from + (place + 1) * shaBytes);
  return {
    count,
    bytes: bytes.length,
    placeOf(sha) {
      let [low, high] = [0, count - 1];
      while (low <= high) {
        const middle = (low + high) >> 1;
        const place = bytes.readUInt32BE(bySha + middle * 4);
        const order = sha.compare(bytes, shas + place * shaBytes, shas + (place + 1) * shaBytes);
        if (order === 0) return place;
        if (order < 0) high = middle - 1;
        else low = middle + 1;
      }
      return undefined;
    },
    at: (place) => ({
      sha: shaAt(shas, place),
      generation: bytes.readUInt32BE(generations + place * 4),
      time: bytes.readUIntBE(times + place * 6, 6),
    }),
    spread(marks) {
      const reached = new Set<number>();
      for (let place = 0, from = 0; place < count; place++) {
        const end = bytes.readUInt32BE(ends + place * 4);
        for (; marks[place] && from < end; from++) {
          const parent = bytes.readUInt32BE(parents + from * 4);
          if (parent >= isOutside) reached.add(parent - isOutside);
          else marks[parent] = 1;
        }
        from = end;
      }
      return [...reached].map((index) => shaAt(outside, index));
    },
  };
}
