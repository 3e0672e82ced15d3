import { createHmac } from 'node:crypto';
import { createClient } from '@redis/client';
import type { PartHealth } from '../slice.ts';
import { takeScript } from './take-script.ts';

/** After a failure it is left alone for so long, so that a request once in a while waits in vain and not each of them. */
const restMs = 1_000;
/** What waits for a Redis that does not read is not worth more memory. */
const mostWaiting = 10_000;

/**
 * The patience is waited for in so many parts, each of which needs a turn of the event loop. A process that was busy for longer than
 * all of it has used up one part: its question had perhaps not even been sent.
 */
const turnsOfPatience = 5;

type Options = {
  url: string;
  /** Nobody waits longer while this process has time: what Redis is asked for can be done without it. */
  patienceMs: number;
  /** Nodes that share it are one installation, whose keys and news are apart from those of others on the same Redis. */
  secretKey: Buffer;
  onChange(isThere: boolean, error: unknown): void;
};

export type Redis = ReturnType<typeof openRedis>;
type Client = ReturnType<typeof createOwnClient>;

/** For whoever asks what there is, and needs nothing of it. Null: it answers. */
export async function describeRedis(url: string): Promise<string | null> {
  const client = createClient({ url, socket: { connectTimeout: 2_000, reconnectStrategy: false } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return null;
  } catch (error) {
    return error instanceof AggregateError ? String(error.errors[0]?.message) : (error as Error).message;
  } finally {
    client.destroy();
  }
}

/**
 * Redis makes limits exact over nodes and news between them quick. It holds nothing that matters: away, slow or emptied,
 * whoever asks it goes on without.
 */
export function openRedis({ url, patienceMs, secretKey, onChange }: Options) {
  const name = `bottega:${createHmac('sha256', secretKey).update('redis').digest('hex').slice(0, 16)}`;
  const client = createOwnClient(url);
  let restsUntil = 0;
  let wasThere = false;
  const isThere = () => client.isReady && Date.now() >= restsUntil;

  function note(isNow: boolean, error: unknown = null): void {
    if (isNow === wasThere) return;
    wasThere = isNow;
    onChange(isNow, error);
  }

  function rest(error: unknown): void {
    restsUntil = Date.now() + restMs;
    note(false, error);
  }
  const firstWord = Promise.withResolvers<void>();
  client.on('error', (error) => {
    rest(error);
    firstWord.resolve();
  });
  client.on('ready', () => {
    restsUntil = 0;
    note(true);
    firstWord.resolve();
  });

  /** Null at once while it is away, and later where it fails or takes too long. */
  function ask<Answer>(command: (client: Client) => Promise<Answer>): Promise<Answer | null> | null {
    if (!isThere()) return null;
    return new Promise((resolve) => {
      let isAnswered = false;
      const settle = (answer: Answer | null, error: unknown = null) => {
        if (isAnswered) return;
        isAnswered = true;
        clearTimeout(late);
        if (error === null) note(true);
        else rest(error);
        resolve(answer);
      };
      const giveUp = () => settle(null, new Error(`no response within ${patienceMs} ms`));
      let late: NodeJS.Timeout;
      // What has arrived while this process was busy is read first: that Redis was slow is known only then.
      const waitFor = (turns: number) => {
        const next = () => (turns > 1 ? waitFor(turns - 1) : setImmediate(giveUp));
        late = setTimeout(next, patienceMs / turnsOfPatience);
      };
      waitFor(turnsOfPatience);
      command(client).then(settle, (error: unknown) => settle(null, error));
    });
  }

  return {
    /** Before the name of each key. */
    name,
    isThere,
    ask,
    tell: (text: string) => void ask((one) => one.publish(name, text)),
    /** Goes on trying for as long as it is away; a connection that comes back hears again by itself. */
    hear(listener: (text: string) => void): void {
      client
        .connect()
        .then(() => client.subscribe(name, listener))
        .catch(rest);
    },
    async health(isPatient = false): Promise<PartHealth> {
      if (isPatient) await firstWord.promise;
      return { problem: isThere() ? null : away };
    },
    close: () => client.destroy(),
  };
}

const away =
  'Redis (REDIS_URL) is unavailable: each process counts requests by itself, and news of other nodes comes through the database';

function createOwnClient(url: string) {
  return createClient({
    url,
    scripts: { takeScript },
    disableOfflineQueue: true,
    commandsQueueMaxLength: mostWaiting,
    // Through a connection that nobody closed, but that leads nowhere any more, it would never hear again.
    pingInterval: 5_000,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: 15_000,
      reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, 2_000) * (0.75 + Math.random() / 2),
    },
  });
}
