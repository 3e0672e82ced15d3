import { readFileSync } from 'node:fs';
import { isS3Address, openObjectStore, placeOf, type S3Settings } from '../foundation/objects/index.ts';
import { BackupError, type Place } from './file/index.ts';

/** The name of a backup. It contains the time in UTC, to the second, so that names sort in the order of the backups. */
export const fileName = (at: Date): string => `bottega-${asDigits(at)}.backup`;
export const projectFileName = (id: string, at: Date): string => `${id}-${asDigits(at)}.backup`;

const asDigits = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

export const isFileName = (name: string): boolean => /^bottega-\d{8}T\d{6}Z\.backup$/.test(name);

/**
 * Decides where to write a backup. An operator may give a file, an object such as `s3://bucket/prefix/any.backup`, or a
 * prefix, below which the backup gets its default name.
 */
export function placeToWrite(given: string | undefined, name: string, s3: S3Settings): Place {
  if (given === undefined) return placeOf(name, s3);
  const isPrefix = isS3Address(given) && !given.endsWith('.backup');
  return isPrefix ? { store: openObjectStore(given, s3), name } : placeOf(given, s3);
}

/** Reads a passphrase: the whole file, without a final newline, so that the file can be written with `echo`. */
export function readPassphrase(path: string | null): string | null {
  if (path === null) return null;
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new BackupError(`The passphrase cannot be read: ${(error as Error).message}`);
  }
  if (text.length < 8) throw new BackupError(`The passphrase in ${path} is shorter than 8 characters.`);
  return text;
}
