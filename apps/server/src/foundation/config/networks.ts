import { isIP } from 'node:net';

/** Parses an address or a CIDR network, as Fastify's `trustProxy` accepts them. */
export function parseAddressOrNetwork(value: string): string {
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  const maxBits = family === 6 ? 128 : 32;
  const bitsFit = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
  if (family === 0 || !bitsFit || rest.length > 0) {
    throw new Error(`contains ${JSON.stringify(value)}, which is neither an address nor a network such as 10.0.0.0/8`);
  }
  return value;
}

/** Parses an address, a network or a host name, with or without a port. */
export function parseEndpoint(value: string): { network: string } | { host: string } {
  const host = value.toLowerCase().replace(/^http:\/\//, '');
  if (/^(?=.*[a-z])[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/.test(host)) return { host };
  if (/^[\d.]+:\d{1,5}$/.test(host)) return { host };
  try {
    return { network: parseAddressOrNetwork(value) };
  } catch {
    throw new Error(
      `contains ${JSON.stringify(value)}, which is not an address, a network such as 10.0.0.0/8, or a host`,
    );
  }
}

/** Parses the address of a DNS server, with or without a port, as Node accepts it. */
export function parseNameServer(value: string): string {
  const [, six, four, port] = /^(?:\[([0-9a-f:]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(value) ?? [];
  const isPort = port === undefined || (Number(port) > 0 && Number(port) <= 65_535);
  const isServer = isPort && (isIP(six ?? '') === 6 || isIP(four ?? '') === 4);
  if (!isServer && isIP(value) === 0) {
    throw new Error(
      `contains ${JSON.stringify(value)}, which is not an address of a DNS server such as 10.0.0.2 or 10.0.0.2:53`,
    );
  }
  return value;
}
