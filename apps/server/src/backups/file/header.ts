import { hkdfSync, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { BackupError } from './backup-error.ts';

/**
 * A backup begins with two readable lines: what it is, and how its key is derived. Everything after them is sealed with
 * that key (`frames.ts`). The seal covers the lines too, so changing them makes every frame invalid.
 */

type Header = { encryption: 'none' | 'scrypt'; salt: string; cost: number };

export type Sealing = { header: Buffer; key: Buffer };

const magic = 'bottega-backup 1';
/** Cost of scrypt for a passphrase that a person chose: 128 MiB and about 0.3 s for each guess. */
const cost = 2 ** 17;
const maxCost = 2 ** 20;
const longestHeader = 1_024;

export async function newSealing(passphrase: string | null): Promise<Sealing> {
  const values: Header = {
    encryption: passphrase === null ? 'none' : 'scrypt',
    salt: randomBytes(32).toString('base64'),
    cost: passphrase === null ? 0 : cost,
  };
  const header = Buffer.from(`${magic}\n${JSON.stringify(values)}\n`);
  return { header, key: await keyOf(values, passphrase) };
}

/** The length of both lines. Null if `start` does not contain them completely. */
export function headerLength(start: Buffer): number | null {
  const known = start.subarray(0, magic.length + 1).toString('latin1');
  if (!`${magic}\n`.startsWith(known)) throw new BackupError('This is not a Bottega backup.');
  const end = start.indexOf('\n', magic.length + 1);
  if (end === -1 && start.length > longestHeader) throw new BackupError('This is not a Bottega backup.');
  return end === -1 ? null : end + 1;
}

export async function readSealing(header: Buffer, passphrase: string | null): Promise<Sealing> {
  const values = parseHeader(header.toString('utf8').split('\n')[1] ?? '');
  if (values.encryption === 'scrypt' && passphrase === null) {
    throw new BackupError('This backup is encrypted. Specify its passphrase with --passphrase-file.');
  }
  return { header, key: await keyOf(values, passphrase) };
}

function parseHeader(line: string): Header {
  const values = safeParse(line);
  const isKnown =
    (values?.encryption === 'none' && values.cost === 0) ||
    // A power of two within bounds. Otherwise, a file could make us allocate any amount of memory.
    (values?.encryption === 'scrypt' && [2 ** 15, 2 ** 16, cost, 2 ** 18, 2 ** 19, maxCost].includes(values.cost ?? 0));
  if (!isKnown || typeof values?.salt !== 'string') throw new BackupError('The beginning of this backup is damaged.');
  return values as Header;
}

function safeParse(line: string): Partial<Header> | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/**
 * Derives the key of the seal. Without a passphrase, the key is not secret, so the seal detects damage but does not
 * protect anything. The format is the same in both cases.
 */
async function keyOf({ salt, cost: N }: Header, passphrase: string | null): Promise<Buffer> {
  const bytes = Buffer.from(salt, 'base64');
  if (passphrase === null || N === 0)
    return Buffer.from(hkdfSync('sha256', '', bytes, 'bottega backup without a secret', 32));
  return derive(passphrase.normalize('NFC'), bytes, 32, { N, r: 8, p: 1, maxmem: 256 * N * 8 });
}
