/**
 * PostgreSQL's text form of a snapshot, `xmin:xmax:xip,xip…`: all transactions below xmax were over when it was taken, but
 * for those listed. Cut off at an earlier transaction it is what one would have seen of those before it.
 */
export function cutSnapshot(snapshot: string, before: bigint): string {
  const [, most = '0', list = ''] = snapshot.split(':');
  if (BigInt(most) <= before) return snapshot;
  const running = list === '' ? [] : list.split(',').filter((xid) => BigInt(xid) < before);
  return `${running[0] ?? before}:${before}:${running.join(',')}`;
}
