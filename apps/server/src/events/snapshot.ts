/**
 * PostgreSQL's text form of a snapshot, `xmin:xmax:xip,xip…`: when it was taken, all transactions below xmax had ended,
 * except for those listed. In this snapshot nothing has happened yet.
 */
export const nothingSeen = '1:1:';

/**
 * Combines two snapshots: everything in `since`, and of the transactions below `before` everything in `seen`, which is
 * later. Merely cutting `seen` off would lose transactions that had overtaken one that committed late.
 */
export function cutSnapshot(seen: string, before: bigint, since = nothingSeen): string {
  const [late, early] = [parseSnapshot(seen), parseSnapshot(since)];
  if (late.xmax <= before) return seen;
  const running = [...late.running.filter((xid) => xid < before), ...early.running.filter((xid) => xid >= before)];
  const xmax = early.xmax > before ? early.xmax : before;
  return formatSnapshot({ xmax, running });
}

export type Snapshot = {
  /** The first transaction that had not begun. */
  xmax: bigint;
  /** Earlier transactions that had not ended, in order. */
  running: bigint[];
};

export function parseSnapshot(text: string): Snapshot {
  const [, xmax = '1', list = ''] = text.split(':');
  return { xmax: BigInt(xmax), running: list === '' ? [] : list.split(',').map(BigInt) };
}

export const formatSnapshot = ({ xmax, running }: Snapshot): string =>
  `${running[0] ?? xmax}:${xmax}:${running.join(',')}`;

export const isSameSnapshot = (one: string, other: string): boolean =>
  formatSnapshot(parseSnapshot(one)) === formatSnapshot(parseSnapshot(other));
