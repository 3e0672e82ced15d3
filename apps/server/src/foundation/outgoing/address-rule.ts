import { BlockList, isIP } from 'node:net';

/** Networks that a user's request must not reach: our own machine, its neighbours, and reserved addresses. */
const inside = networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  // Azure's agent for its virtual machines, although this address looks public.
  '168.63.129.16/32',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // IPv6: unspecified, loopback, embedded IPv4 (compatible, mapped, translated, NAT64, 6to4, Teredo), discard, local,
  // multicast.
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);

export const loopback = ['127.0.0.0/8', '::1'];

export type AddressRule = (address: string) => boolean;

/** Allows public addresses, and the networks that the operator allows in addition. */
export function addressRule(allowed: readonly string[]): AddressRule {
  const isAllowed = networks(allowed);
  return (address) => isIP(address) !== 0 && (isAllowed(address) || !inside(address));
}

/**
 * Returns whether an address is in one of the networks. There is one list per address family, because in a common list,
 * Node would treat every IPv4 address as part of the mapped range of IPv6.
 */
function networks(list: readonly string[]): AddressRule {
  const blocks = { 4: new BlockList(), 6: new BlockList() };
  for (const network of list) {
    const [address = '', bits] = network.split('/');
    if (isIP(address) === 4) blocks[4].addSubnet(address, Number(bits ?? 32), 'ipv4');
    else blocks[6].addSubnet(address, Number(bits ?? 128), 'ipv6');
  }
  return (address) => (isIP(address) === 4 ? blocks[4].check(address) : blocks[6].check(address, 'ipv6'));
}
