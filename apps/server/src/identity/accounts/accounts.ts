import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import type { OwnOrigins } from '../../foundation/http/same-origin.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import type { Passwords, SessionLife } from '../auth/index.ts';

/** What becomes of an account's projects, before its row goes: it leaves those of others, and its own are deleted. */
export type LeaveProjects = (db: Db, userId: string, cause: Cause) => Promise<void>;

/** What everything about accounts needs. */
export type Accounts = {
  db: Db;
  mailer: Pick<Mailer, 'isSetUp' | 'send'>;
  passwords: Passwords;
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
