import type { CacheRegistry } from '../../foundation/cluster/cache-registry.ts';
import type { Nudges } from '../../foundation/cluster/nudges.ts';
import type { Siblings } from '../../foundation/cluster/siblings.ts';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import type { EndpointRule } from '../subscriptions/index.ts';

export type EngineOptions = {
  db: Db;
  nudges: Nudges;
  siblings: Siblings;
  caches: Pick<CacheRegistry, 'mark'>;
  box: SecretBox;
  mailer: Mailer;
  endpoints: EndpointRule;
  limits: {
    /** Maximum number of concurrent attempts to one webhook. */
    concurrency: number;
    /** Maximum number of bytes of a response body that are stored. */
    bodyLimit: number;
    /** First pause of a failing webhook, in seconds. Each further pause is twice as long. */
    pauseSeconds: number;
    /** Seconds after which other nodes take over a dead node's deliveries. */
    leaseSeconds: number;
  };
  onError: (error: unknown, what: string) => void;
};
