import { isIP, type LookupFunction } from 'node:net';
import { reasonSentence } from '@bottega/contract';
import { LRUCache } from 'lru-cache';
import { Agent, buildConnector } from 'undici';
import { hostResolver, type Resolve } from './host-names.ts';

export type Endpoint = { protocol: string; hostname: string; port: number };

/** A rule that is checked for every address to which a name resolves, at the time of connecting. */
export type ConnectionRule = { mayConnect(endpoint: Endpoint, address: string): boolean };

/** Thrown if our own rules do not allow a connection. Nothing was sent. */
export class RefusedEndpoint extends Error {}

const connectTimeoutMs = 10_000;

/**
 * Opens connections to addresses that users specify. Each origin has a pool of keep-alive connections, with one for
 * each concurrent exchange. The pool has no limit, so that no exchange waits for another. Callers limit the number of
 * exchanges themselves, for example with the queue of each webhook.
 */
export function openConnections(rule: ConnectionRule): Agent {
  // The number of connectors is limited, because users choose the ports, and each connector stores TLS sessions.
  const connectors = new LRUCache<string, buildConnector.connector>({ max: 200 });
  const resolve = hostResolver();
  return new Agent({
    allowH2: false,
    pipelining: 1,
    // The timeout is shorter than in common servers and proxies. If the other side closed an idle connection just when
    // a request is sent, the attempt would fail.
    keepAliveTimeout: 10_000,
    connect: (options, callback) => {
      const endpoint = {
        protocol: options.protocol,
        hostname: options.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: Number(options.port) || (options.protocol === 'https:' ? 443 : 80),
      };
      if (isIP(endpoint.hostname) && !rule.mayConnect(endpoint, endpoint.hostname)) {
        callback(refused(endpoint.hostname), null);
        return;
      }
      const key = `${endpoint.protocol} ${endpoint.port}`;
      const connector = connectors.get(key) ?? connectorFor(rule, resolve, endpoint);
      connectors.set(key, connector);
      connector(options, callback);
    },
  });
}

/** Checks each address after the name has been resolved. The socket then connects to an address from the same list. */
function connectorFor(rule: ConnectionRule, resolve: Resolve, { protocol, port }: Endpoint): buildConnector.connector {
  const checked: LookupFunction = (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const bad = addresses.find(({ address }) => !rule.mayConnect({ protocol, hostname, port }, address));
        if (bad) return callback(refused(bad.address), []);
        const [first] = addresses;
        if (options.all || !first) return callback(null, addresses);
        callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
  return buildConnector({ allowH2: false, timeout: connectTimeoutMs, lookup: checked });
}

const refused = (address: string): RefusedEndpoint =>
  new RefusedEndpoint(reasonSentence('address_not_allowed', { address }));
