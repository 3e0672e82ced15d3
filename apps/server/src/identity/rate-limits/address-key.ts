import { isIPv6 } from 'node:net';

/**
 * A proxy may forward a text from a client that is not an address. Only this many characters of such a text are used.
 */
const longest = 64;

/**
 * The key of an address. A household or a server usually has a whole /64 network of IPv6, so all addresses of a /64
 * share one budget.
 */
export function addressKey(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return `ip:${address.slice(0, longest)}`;
  // The canonical form has lower case, no leading zeros and no dotted part.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical)?.slice(1).map(dotted);
  if (mapped) return `ip:${mapped.join('.')}`;
  const [head = '', tail = ''] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `ip:${groups.slice(0, 4).join(':')}::/64`;
}

/** Converts four hex digits into two bytes of an IPv4 address. */
function dotted(group: string): string {
  const value = Number.parseInt(group, 16);
  return `${value >> 8}.${value & 255}`;
}
