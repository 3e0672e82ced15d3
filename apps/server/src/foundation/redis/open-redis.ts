import { createHmac } from 'node:crypto';
import { createClient } from '@redis/client';
import type { PartHealth } from '../slice.ts';
import { takeScript } from './take-script.ts';

/** After a failure, Redis is not used for this long, so that only few requests wait in vain. */
const restMs = 1_000;
/** Maximum number of commands that wait while Redis does not read. Storing more would not be worth the memory. */
const maxWaiting = 10_000;

/**
 * The patience is split into this many parts, and each part needs a turn of the event loop. If this process was busy
 * for longer than the whole patience, that uses up only one part, because the command may not even have been sent yet.
 */
const turnsOfPatience = 5;

type Options = {
  url: string;
  /** Longest wait for a response. The caller can always continue without one. */
  patienceMs: number;
  /**
   * Nodes with this key form one installation. Its keys and news are separate from those of others on the same Redis.
   */
  secretKey: Buffer;
  onChange(isThere: boolean, error: unknown): void;
};

export type Redis = ReturnType<typeof openRedis>;
type Client = ReturnType<typeof createOwnClient>;

/** Checks the connection for a diagnosis. Null if Redis responds. */
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
 * Connects to Redis. With Redis, rate limits are exact across nodes, and nodes notify each other faster. Redis stores
 * nothing that must survive. If it is unavailable, slow or emptied, callers continue without it.
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

  /** Returns null immediately while Redis is unavailable. Resolves to null if the command fails or takes too long. */
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
      // Responses that arrived while this process was busy are read first. Only then is it clear whether Redis was
      // slow.
      const waitFor = (turns: number) => {
        const next = () => (turns > 1 ? waitFor(turns - 1) : setImmediate(giveUp));
        late = setTimeout(next, patienceMs / turnsOfPatience);
      };
      waitFor(turnsOfPatience);
      command(client).then(settle, (error: unknown) => settle(null, error));
    });
  }

  return {
    /** Prefix of each key. */
    name,
    isThere,
    ask,
    tell: (text: string) => void ask((one) => one.publish(name, text)),
    /** Keeps trying while Redis is unavailable. After a reconnection, the client subscribes again by itself. */
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
  'Redis (REDIS_URL) is unavailable: each process counts requests separately, and nodes notify each other through the database';

function createOwnClient(url: string) {
  return createClient({
    url,
    scripts: { takeScript },
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxWaiting,
    // Without pings, a connection that is dead but not closed would never be noticed.
    pingInterval: 5_000,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: 15_000,
      reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, 2_000) * (0.75 + Math.random() / 2),
    },
  });
}
