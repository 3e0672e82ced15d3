import { createHash } from 'node:crypto';
import { CreateOauthApp } from '@bottega/contract';
import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { request } from 'undici';
import { createSemaphore } from '../../foundation/concurrency/semaphore.ts';
import { singleFlight } from '../../foundation/concurrency/single-flight.ts';
import { isLoopback } from '../../foundation/http/watching/health.ts';
import { addressRule, loopback } from '../../foundation/outgoing/address-rule.ts';
import { openConnections } from '../../foundation/outgoing/connections.ts';
import type { AppRow } from './apps.sql.ts';
import { isAppId } from './client-metadata.ts';
import { checkRedirectUris } from './redirect-uris.ts';

/** An app that a document describes. Its id is the address of the document. */
type DocumentedClient = Pick<AppRow, 'id' | 'name' | 'type' | 'redirect_uris'>;

/**
 * OAuth Client ID Metadata Document: the client id is an https address at which the app's maker publishes its name and
 * redirect URIs. The address identifies the app, so nobody has to register it.
 */
export type ClientDocuments = {
  /** Undefined if the id is not such an address, or has no valid document. */
  find(clientId: string): Promise<DocumentedClient | undefined>;
  close(): Promise<void>;
};

const maxBytes = 16_384;
const maxMs = 5_000;
/** Maximum number of documents that are fetched at the same time, for all callers. */
const maxFetches = 4;
const keepMs = 600_000;
/** How long a document that could not be fetched is not fetched again, however many requests need it. */
const keepFailureMs = 30_000;

/** Fetches documents, but never from internal networks. The resolved address is checked when the connection is made. */
export function openClientDocuments(publicUrl: () => string): ClientDocuments {
  // If the service itself has a loopback address, somebody uses it for development, so documents may be on loopback
  // too.
  const isAtHome = () => isLoopback(publicUrl());
  const agent = openConnections({ mayConnect: (_to, address) => addressRule(isAtHome() ? loopback : [])(address) });
  const kept = new LRUCache<string, { client: DocumentedClient | undefined }>({ max: 500, ttl: keepMs });
  const inTurn = createSemaphore(maxFetches);

  const look = singleFlight(async (url: string) => {
    const client = await inTurn(() => fetchDocument(url))
      .then((document) => clientOf(url, document))
      .catch(() => undefined);
    kept.set(url, { client }, client ? {} : { ttl: keepFailureMs });
    return client;
  });

  async function fetchDocument(url: string): Promise<unknown> {
    const headers = { accept: 'application/json' };
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      headers,
      signal: AbortSignal.timeout(maxMs),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of body) {
      chunks.push(chunk);
      if (chunks.reduce((sum, { length }) => sum + length, 0) > maxBytes) throw new Error('the document is too long');
    }
    if (statusCode !== 200) throw new Error(`the document URL responds with ${statusCode}`);
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  }

  return {
    async find(clientId) {
      if (!isDocumentAddress(clientId, isAtHome()) || new URL(clientId).origin === publicUrl()) return undefined;
      const known = kept.get(clientId);
      return known ? known.client : look(clientId);
    },
    close: () => agent.close(),
  };
}

/** Accepts only the canonical form. Otherwise, two spellings of one address would be two apps. */
function isDocumentAddress(text: string, isAtHome: boolean): boolean {
  const url = text.length <= 500 && URL.canParse(text) ? new URL(text) : null;
  if (!url || url.href !== text || url.hash || url.username || url.password || url.pathname === '/') return false;
  return url.protocol === 'https:' || (isAtHome && url.protocol === 'http:' && isLoopback(text));
}

const Document = Type.Object({
  client_id: Type.String(),
  client_name: Type.Optional(CreateOauthApp.properties.name),
  redirect_uris: CreateOauthApp.properties.redirect_uris,
  token_endpoint_auth_method: Type.Optional(Type.Literal('none')),
  // Everyone can read the document, so it must not contain a secret.
  client_secret: Type.Optional(Type.Never()),
});

/**
 * The client that a document describes. A document can claim any name, but it cannot claim a host other than its own.
 * So the displayed name contains the host.
 */
async function clientOf(url: string, document: unknown): Promise<DocumentedClient | undefined> {
  if (!Value.Check(Document, document) || document.client_id !== url) return undefined;
  const { host } = new URL(url);
  const { client_name: name, redirect_uris } = document;
  await checkRedirectUris(redirect_uris, 'public');
  return { id: url, name: name ? `${name} (${host})` : host, type: 'public', redirect_uris };
}

/**
 * The id of an app in this service. For an app that is not registered, it is derived from the address of the app's
 * document.
 */
export function appIdOf(clientId: string): string {
  if (isAppId(clientId)) return clientId;
  return `app_${createHash('sha256').update(clientId).digest('hex').slice(0, 26)}`;
}
