/**
 * PostgreSQL's text form of a snapshot, `xmin:xmax:xip,xip…`: all transactions below xmax were over when it was taken, but
 * for those listed. In this one nothing has happened yet.
 */
export const nothingSeen = '1:1:';

/**
 * What was seen at `since`, and of those before a transaction all that `seen` has, which is later. A snapshot that is merely
 * cut off would forget what had overtaken a transaction that committed late.
 */
export function cutSnapshot(seen: string, before: bigint, since = nothingSeen): string {
  const [late, early] = [parseSnapshot(seen), parseSnapshot(since)];
  if (late.most <= before) return seen;
  const running = [...late.running.filter((xid) => xid < before), ...early.running.filter((xid) => xid >= before)];
  const most = early.most > before ? early.most : before;
  return formatSnapshot({ most, running });
}

export type Snapshot = {
  /** The first transaction that had not begun. */
  most: bigint;
  /** Those before it that were not over, in their order. */
  running: bigint[];
};

export function parseSnapshot(text: string): Snapshot {
  const [, most = '1', list = ''] = text.split(':');
  return { most: BigInt(most), running: list === '' ? [] : list.split(',').map(BigInt) };
}

export const formatSnapshot = ({ most, running }: Snapshot): string =>
  `${running[0] ?? most}:${most}:${running.join(',')}`;

export const isSameSnapshot = (one: string, other: string): boolean =>
  formatSnapshot(parseSnapshot(one)) === formatSnapshot(parseSnapshot(other));
