/**
 * A snapshot in which nothing has happened yet. Snapshots have PostgreSQL's text form, `xmin:xmax:xip,xip…`. When a
 * snapshot was taken, all transactions below xmax had ended, except for those in the list after the second colon.
 */
export const nothingSeen = '1:1:';

/**
 * Combines two snapshots. The result shows everything that `since` shows, and what the later snapshot `seen` shows of
 * transactions below `before`. Cutting off `seen` at `before` is not enough: it would lose transactions at or above
 * `before` that `since` already shows, because they committed before an older one.
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
