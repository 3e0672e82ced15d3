import { formatSnapshot, parseSnapshot } from '../events/index.ts';

/**
 * How far somebody has come in the events. Transactions commit in another order than they begin, so this is no number but a
 * snapshot: what it shows was given, and everything else is still to come, however late it commits.
 */
export type Place = {
  /** By which the database is known whose transactions these are. */
  database: string;
  /** What is still to come happened after this, in milliseconds since 1970. */
  happenedAfter: number;
  /** PostgreSQL's snapshot of all that was given. */
  since: string;
  /** Of what became visible between then and `until`, events up to a number were given too. */
  part?: { until: string; seq: number };
};

const version = 1n;

/** As clients have it: a text that they need not understand. */
export function writeCursor({ database, happenedAfter, since, part }: Place): string {
  const numbers = [
    version,
    BigInt(`0x${database}`),
    BigInt(Math.max(0, Math.floor(happenedAfter))),
    ...inNumbers(since),
  ];
  if (part) numbers.push(...inNumbers(part.until), BigInt(part.seq));
  return Buffer.from(numbers.flatMap(inBytes)).toString('base64url');
}

/** Null: no cursor of ours. */
export function readCursor(text: string): Place | null {
  const numbers = fromBytes(Buffer.from(text, 'base64url'));
  const [first, database, happenedAfter] = numbers.splice(0, 3);
  if (first !== version || database === undefined || happenedAfter === undefined) return null;
  const since = takeSnapshot(numbers);
  if (since === null) return null;
  const place = {
    database: database.toString(16).padStart(databaseDigits, '0'),
    happenedAfter: Number(happenedAfter),
    since,
  };
  if (numbers.length === 0) return place;
  const until = takeSnapshot(numbers);
  const [seq, ...rest] = numbers;
  if (until === null || seq === undefined || seq > BigInt(Number.MAX_SAFE_INTEGER) || rest.length > 0) return null;
  return { ...place, part: { until, seq: Number(seq) } };
}

export const databaseDigits = 12;

/** Numbers of transactions are large and close to each other: their distances are short. */
function inNumbers(snapshot: string): bigint[] {
  const { most, running } = parseSnapshot(snapshot);
  const distances = running.map((xid, index) => (running[index + 1] ?? most) - xid);
  return [most, BigInt(running.length), ...distances.toReversed()];
}

function takeSnapshot(numbers: bigint[]): string | null {
  const [most, count] = numbers.splice(0, 2);
  if (most === undefined || count === undefined || most < 1n || most >= 1n << 63n || count > numbers.length)
    return null;
  const running: bigint[] = [];
  let xid = most;
  for (const distance of numbers.splice(0, Number(count))) {
    xid -= distance;
    if (distance < 1n || xid < 1n) return null;
    running.push(xid);
  }
  return formatSnapshot({ most, running: running.reverse() });
}

/** Seven bits in each byte, the lowest first; the eighth says that there are more. */
function inBytes(number: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = number; ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
}

const mostBits = 70n;

function fromBytes(bytes: Buffer): bigint[] {
  const numbers: bigint[] = [];
  let [number, shift] = [0n, 0n];
  for (const byte of bytes) {
    number |= BigInt(byte & 127) << shift;
    shift += 7n;
    if (shift > mostBits) return [];
    if (byte >= 128) continue;
    numbers.push(number);
    [number, shift] = [0n, 0n];
  }
  // A number that has no end is none.
  return shift === 0n ? numbers : [];
}
