import { formatSnapshot, parseSnapshot } from '../events/index.ts';

/**
 * A client's position in the events. Transactions do not commit in the order in which they begin, so the position is a
 * snapshot and not a number. Events that are visible in the snapshot were sent. All others are still to come, however
 * late they commit.
 */
export type Position = {
  /** Identifies the database that the transactions belong to. */
  database: string;
  /** Unsent events happened after this time, in milliseconds since 1970. */
  happenedAfter: number;
  /** The PostgreSQL snapshot of all events that were sent. */
  since: string;
  /** Events that became visible between `since` and `until` were also sent, up to this number. */
  part?: { until: string; seq: number };
};

const version = 1n;

/** Encodes the position as an opaque text for clients. */
export function writeCursor({ database, happenedAfter, since, part }: Position): string {
  const numbers = [
    version,
    BigInt(`0x${database}`),
    BigInt(Math.max(0, Math.floor(happenedAfter))),
    ...inNumbers(since),
  ];
  if (part) numbers.push(...inNumbers(part.until), BigInt(part.seq));
  return Buffer.from(numbers.flatMap(inBytes)).toString('base64url');
}

/** Null if the text is not a valid cursor. */
export function readCursor(text: string): Position | null {
  const numbers = fromBytes(Buffer.from(text, 'base64url'));
  const [first, database, happenedAfter] = numbers.splice(0, 3);
  if (first !== version || database === undefined || happenedAfter === undefined) return null;
  const since = takeSnapshot(numbers);
  if (since === null) return null;
  const position = {
    database: database.toString(16).padStart(databaseDigits, '0'),
    happenedAfter: Number(happenedAfter),
    since,
  };
  if (numbers.length === 0) return position;
  const until = takeSnapshot(numbers);
  const [seq, ...rest] = numbers;
  if (until === null || seq === undefined || seq > BigInt(Number.MAX_SAFE_INTEGER) || rest.length > 0) return null;
  return { ...position, part: { until, seq: Number(seq) } };
}

export const databaseDigits = 12;

/** A snapshot as numbers. Transaction ids are large and close together, so their distances take fewer bytes. */
function inNumbers(snapshot: string): bigint[] {
  const { xmax, running } = parseSnapshot(snapshot);
  const distances = running.map((xid, index) => (running[index + 1] ?? xmax) - xid);
  return [xmax, BigInt(running.length), ...distances.toReversed()];
}

function takeSnapshot(numbers: bigint[]): string | null {
  const [xmax, count] = numbers.splice(0, 2);
  if (xmax === undefined || count === undefined || xmax < 1n || xmax >= 1n << 63n || count > numbers.length)
    return null;
  const running: bigint[] = [];
  let xid = xmax;
  for (const distance of numbers.splice(0, Number(count))) {
    xid -= distance;
    if (distance < 1n || xid < 1n) return null;
    running.push(xid);
  }
  return formatSnapshot({ xmax, running: running.reverse() });
}

/** Encodes seven bits per byte, lowest first. The eighth bit says that more bytes follow. */
function inBytes(number: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = number; ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
}

const maxBits = 70n;

function fromBytes(bytes: Buffer): bigint[] {
  const numbers: bigint[] = [];
  let [number, shift] = [0n, 0n];
  for (const byte of bytes) {
    number |= BigInt(byte & 127) << shift;
    shift += 7n;
    if (shift > maxBits) return [];
    if (byte >= 128) continue;
    numbers.push(number);
    [number, shift] = [0n, 0n];
  }
  // The last number must be complete.
  return shift === 0n ? numbers : [];
}
