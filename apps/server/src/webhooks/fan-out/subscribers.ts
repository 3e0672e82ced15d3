import type { RetryPolicyInput, WebhookFormat } from '@bottega/contract';
import { LRUCache } from 'lru-cache';
import type { CacheRegistry } from '../../foundation/cluster/cache-registry.ts';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { compileFilters, type Filter, type SigningKeys, signingKey } from '../subscriptions/index.ts';
import { readSubscribers, type SubscriberRow } from './subscribers.sql.ts';

/** A webhook's settings for deliveries, with decrypted secrets. */
export type Subscriber = {
  id: string;
  ownerId: string;
  revision: number;
  active: boolean;
  url: URL;
  format: WebhookFormat;
  events: readonly string[];
  timeoutMs: number;
  headers: Record<string, string>;
  given: RetryPolicyInput | null;
  ordered: boolean;
  filter: Filter;
  keysAt(time: Date): SigningKeys;
};

type Remembered = { subscriber: Subscriber; asOf: number | null };

export type Subscribers = ReturnType<typeof rememberSubscribers>;

export function rememberSubscribers(box: SecretBox, caches: Pick<CacheRegistry, 'mark'>) {
  const remembered = new LRUCache<string, Remembered>({ max: 10_000 });

  async function read(db: Queries, ids: readonly string[]): Promise<Map<string, Subscriber>> {
    const asOf = caches.mark('webhooks');
    const rows = await readSubscribers(db, ids);
    const subscribers = new Map(rows.map((row) => [row.id, openSubscriber(row, box)]));
    for (const [id, subscriber] of subscribers) remembered.set(id, { subscriber, asOf });
    return subscribers;
  }

  return {
    /**
     * Loads these webhooks, except those that no longer exist. A webhook is read again if its cached copy has another
     * revision than the given one.
     */
    async load(db: Queries, wanted: readonly { id: string; revision: number }[]) {
      const subscribers = new Map<string, Subscriber>();
      const missing: string[] = [];
      for (const { id, revision } of wanted) {
        const subscriber = remembered.get(id)?.subscriber;
        if (subscriber?.revision === revision) subscribers.set(id, subscriber);
        else missing.push(id);
      }
      if (missing.length > 0) for (const [id, subscriber] of await read(db, missing)) subscribers.set(id, subscriber);
      return subscribers;
    },
    /**
     * The current settings, or null if the webhook is gone. Queries the database only if something has changed since
     * the last read.
     */
    current(db: Queries, id: string): Subscriber | Promise<Subscriber | null> {
      const entry = remembered.get(id);
      const mark = caches.mark('webhooks');
      if (entry && mark !== null && entry.asOf === mark) return entry.subscriber;
      return read(db, [id]).then((subscribers) => subscribers.get(id) ?? null);
    },
  };
}

function openSubscriber(row: SubscriberRow, box: SecretBox): Subscriber {
  const { previous_secret_encrypted: former, previous_secret_until: until } = row;
  const current = signingKey(box.open(row.secret_encrypted));
  const previous = former && until ? { key: signingKey(box.open(former)), until } : null;
  return {
    id: row.id,
    ownerId: row.owner_id,
    revision: row.revision,
    active: row.active,
    url: new URL(row.url),
    format: row.format,
    events: row.events,
    timeoutMs: row.timeout * 1000,
    headers: row.headers_encrypted ? JSON.parse(box.open(row.headers_encrypted)) : {},
    given: row.retry_policy,
    ordered: row.ordered,
    filter: compileFilters(row.filters),
    keysAt: (time) => ({ current, previous: previous && previous.until > time ? previous.key : null }),
  };
}
