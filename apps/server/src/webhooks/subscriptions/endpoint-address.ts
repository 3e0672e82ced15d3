import { isIP } from 'node:net';
import { addressRule, loopback } from '../../foundation/outgoing/address-rule.ts';
import type { ConnectionRule, Endpoint } from '../../foundation/outgoing/connections.ts';
import { isOwnAddress } from '../../foundation/outgoing/own-addresses.ts';

/**
 * Endpoints that the operator allows in addition to public HTTPS: networks, and hosts (`name` or `name:port`) that may
 * use http at any address.
 */
export type AllowedEndpoints = { networks: readonly string[]; hosts: readonly string[] };

type Options = {
  allowed: () => AllowedEndpoints;
  /** Origins and ports of this service itself. */
  ownOrigins: () => string[];
  ownPorts: () => number[];
};

export type EndpointRule = ConnectionRule & {
  /** Returns why no webhook may have this URL, or null if it is allowed. This does no DNS lookup. */
  problemOf(url: string): string | null;
};

const isPublic = addressRule([]);

export const loopbackEndpoints: AllowedEndpoints = { networks: loopback, hosts: [] };

/**
 * The rule for where deliveries may be sent. A check when the webhook is created is not enough, because its owner can
 * change the DNS record later. So every address is checked at every connection.
 */
export function endpointRule({ allowed, ownOrigins, ownPorts }: Options): EndpointRule {
  const isAllowedNetwork = (address: string) => !isPublic(address) && addressRule(allowed().networks)(address);
  const isAllowedHost = ({ hostname, port }: Endpoint) =>
    allowed().hosts.some((host) => host === hostname || host === `${hostname}:${port}`);
  const isOwn = (endpoint: Endpoint, address: string) => ownPorts().includes(endpoint.port) && isOwnAddress(address);

  function mayConnect(endpoint: Endpoint, address: string): boolean {
    if (isIP(address) === 0 || isOwn(endpoint, address)) return false;
    if (isAllowedHost(endpoint) || isAllowedNetwork(address)) return true;
    return endpoint.protocol === 'https:' && isPublic(address);
  }

  return {
    mayConnect,
    problemOf(text) {
      const url = URL.canParse(text) ? new URL(text) : null;
      if (!url || !/^https?:$/.test(url.protocol)) return 'must be an https address';
      if (url.username || url.password) return 'must not contain a user name or password';
      const endpoint = endpointOf(url);
      // A host name may end with a dot.
      if (ownOrigins().includes(url.origin.replace(/\.(:\d+)?$/, '$1')))
        return 'must not be an address of this service';
      if (isIP(endpoint.hostname)) {
        if (isOwn(endpoint, endpoint.hostname)) return 'must not be an address of this service';
        if (mayConnect(endpoint, endpoint.hostname)) return null;
        return isPublic(endpoint.hostname) ? 'must be an https address' : 'must be a public address';
      }
      if (isLoopbackName(endpoint.hostname)) {
        if (isOwn(endpoint, '127.0.0.1')) return 'must not be an address of this service';
        return isAllowedHost(endpoint) || isAllowedNetwork('127.0.0.1') ? null : 'must be a public address';
      }
      return url.protocol === 'https:' || isAllowedHost(endpoint) ? null : 'must be an https address';
    },
  };
}

/** Returns the endpoint of a URL. The URL parser has already normalised decimal, octal and hexadecimal addresses. */
export function endpointOf(url: URL): Endpoint {
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return { protocol: url.protocol, hostname, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
}

const isLoopbackName = (hostname: string): boolean => /^(.+\.)?localhost$/.test(hostname);
