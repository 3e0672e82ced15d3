import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import type { OwnOrigins } from '../../foundation/http/request/same-origin.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import type { Passwords, SessionLife } from '../auth/index.ts';

/** What happens to a deleted account before its row is deleted. */
export type Leaving = {
  /** Removes the account from the projects of others, and deletes its own. */
  leaveProjects(db: Db, userId: string, cause: Cause): Promise<void>;
  /** Whether webhooks of the account are still being told that it was deleted. */
  awaitsDeletionEvent(db: Db, userId: string): Promise<boolean>;
};

/** What all code about accounts needs. */
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
};
