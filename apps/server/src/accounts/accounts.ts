import type { SessionLife } from '../auth/index.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Db } from '../db/pool.ts';
import type { OwnOrigins } from '../http/same-origin.ts';
import type { Mailer } from '../mail/index.ts';

/** What everything about accounts needs. */
export type Accounts = {
  db: Db;
  mailer: Pick<Mailer, 'isSetUp' | 'send'>;
  /** Seals the secrets of second factors. */
  box: SecretBox;
  publicUrl: () => string;
  origins: OwnOrigins;
  life: SessionLife;
  /** Null: on while the service is reached by loopback only. */
  signUp: 'on' | 'off' | null;
  /** This node answers only once it has forgotten too; the others hear of it in a moment. */
  credentialsChanged(): void;
};
