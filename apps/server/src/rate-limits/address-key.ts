import { isIPv6 } from 'node:net';

/** One household or server has a whole IPv6 /64, so its addresses share one budget. */
export function addressKey(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return `ip:${address}`;
  // The canonical form: lower case, no leading zeros, no dotted part.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical)?.slice(1).map(dotted);
  if (mapped) return `ip:${mapped.join('.')}`;
  const [head = '', tail = ''] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `ip:${groups.slice(0, 4).join(':')}::/64`;
}

/** Two bytes of an IPv4 address from the four hex digits that hold them. */
function dotted(group: string): string {
  const value = Number.parseInt(group, 16);
  return `${value >> 8}.${value & 255}`;
}
