import { BackupError } from './backup-error.ts';

/** What a backup says of itself, before its tables. */
export type Manifest = {
  what: 'manifest';
  /** Of Bottega. */
  version: string;
  made_at: string;
  /** All that the database had: a restore begins with just these. */
  migrations: string[];
  postgres: number;
  /** Tells which secret key opens what is sealed in it; null where nothing was ever sealed. */
  secret_key_check: string | null;
  /** The key itself, only where it was asked for and the backup is encrypted. */
  secret_key?: string;
};

export type TableStart = { what: 'table'; name: string; columns: string[] };
export type TableEnd = { what: 'table end'; rows: number; bytes: number; sha256: string };
/** `sequences`: as they were after the last table was read, so never below a number in it. */
export type BackupEnd = { what: 'end'; tables: number; rows: number; sequences: Record<string, number> };

export type Saying = Manifest | TableStart | TableEnd | BackupEnd;

export function expectSaying<What extends Saying['what']>(said: unknown, what: What): Extract<Saying, { what: What }> {
  if ((said as Saying | null)?.what !== what)
    throw new BackupError('The backup is damaged: its parts are out of order.');
  return said as Extract<Saying, { what: What }>;
}
