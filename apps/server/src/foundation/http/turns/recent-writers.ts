import type { FastifyInstance } from 'fastify';
import type { Siblings } from '../../cluster/siblings.ts';

export type RecentWriters = {
  /** Whether the account has changed something so recently that a replica may not have it yet. */
  hasWritten(userId: string): boolean;
  register(app: FastifyInstance): void;
};

const topic = 'wrote';
const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Accounts that have written within the last `ms`, in any process that reports it to this one. */
export function watchWriters(siblings: Siblings, ms: number): RecentWriters {
  const writers = new Map<string, number>();

  function note(userId: string): void {
    // The entry is deleted and inserted again, so that the entries are in the order in which they expire.
    writers.delete(userId);
    writers.set(userId, Date.now() + ms);
    for (const [first, until] of writers) {
      if (until > Date.now()) break;
      writers.delete(first);
    }
  }

  siblings.hear(topic, note);
  return {
    hasWritten: (userId) => (writers.get(userId) ?? 0) > Date.now(),
    register(app) {
      // The write is recorded before the response is sent, because after the response the client may read immediately,
      // here or on another node.
      app.addHook('onSend', (request, _reply, payload, done) => {
        const { principal, method } = request;
        if (principal && !reads.has(method)) {
          note(principal.userId);
          siblings.tell(topic, principal.userId);
        }
        done(null, payload);
      });
    },
  };
}
