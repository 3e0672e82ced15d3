import type { Memories } from '../../foundation/cluster/memories.ts';
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
  memories: Pick<Memories, 'mark'>;
  box: SecretBox;
  mailer: Mailer;
  endpoints: EndpointRule;
  limits: {
    /** Attempts at once to one webhook. */
    concurrency: number;
    /** Bytes of an answer that are kept. */
    bodyLimit: number;
    /** Seconds of the first pause of a failing webhook; each further one is twice as long. */
    pauseSeconds: number;
    /** Seconds after which others take over what a dead node held. */
    leaseSeconds: number;
  };
  onError: (error: unknown, what: string) => void;
};
