import { isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Agent, buildConnector } from 'undici';
import { hostResolver, type Resolve } from '../foundation/outgoing/host-names.ts';
import type { Endpoint, EndpointRule } from './endpoint-address.ts';

/** Our own rules let no connection happen: nothing was sent. */
export class RefusedEndpoint extends Error {}

const connectTimeoutMs = 10_000;

/**
 * One pool of kept-alive connections per origin. As many of them as there are exchanges at once: what bounds those is
 * the queue of each webhook, so that one webhook never waits for a connection that another one holds.
 */
export function openConnections(rule: EndpointRule): Agent {
  // By port, which users choose: each holds TLS sessions.
  const connectors = new LRUCache<string, buildConnector.connector>({ max: 200 });
  const resolve = hostResolver();
  return new Agent({
    allowH2: false,
    pipelining: 1,
    // Below what common servers and proxies keep; a connection that they close under a request costs an attempt.
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

/** Asks about each address after the name has been resolved, on the very list to which the socket then connects. */
function connectorFor(rule: EndpointRule, resolve: Resolve, { protocol, port }: Endpoint): buildConnector.connector {
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

const refused = (address: string): RefusedEndpoint => new RefusedEndpoint(`${address} may not be connected to`);
