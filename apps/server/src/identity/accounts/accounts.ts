import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import type { OwnOrigins } from '../../foundation/http/request/same-origin.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import type { Passwords, SessionLife } from '../auth/index.ts';

/** What has to happen to a deleted account before its row is deleted. */
export type Leaving = {
  /** Removes the account from the projects of others, and deletes its own. */
  leaveProjects(db: Db, userId: string, cause: Cause): Promise<void>;
  /** Whether webhooks of the account have not received the event about its deletion yet. */
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
  /** Whether people can sign up. Null means only while the service can be reached through loopback alone. */
  signUp: 'on' | 'off' | null;
};
