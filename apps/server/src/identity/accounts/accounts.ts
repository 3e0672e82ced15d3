import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/pool.ts';
import type { OwnOrigins } from '../../foundation/http/same-origin.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import type { SessionLife } from '../auth/index.ts';

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
