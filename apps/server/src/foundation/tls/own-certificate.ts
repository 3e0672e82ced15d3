import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { type Heartbeat, startHeartbeat } from '../concurrency/heartbeat.ts';
import { ConfigError } from '../config/index.ts';

export type Files = { cert: string; key: string };
export type Pair = { cert: string; key: string; names: string[]; until: Date; isFor(host: string): boolean };

/** Reads the operator's own certificate and key. Throws a one-line error if something is wrong with them. */
export function readPair(files: Files): Pair {
  const cert = readFile('BOTTEGA_TLS_CERT', files.cert);
  const key = readFile('BOTTEGA_TLS_KEY', files.key);
  const first = parsed('BOTTEGA_TLS_CERT', files.cert, 'a certificate in PEM', () => new X509Certificate(cert));
  const secret = parsed('BOTTEGA_TLS_KEY', files.key, 'a private key in PEM without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!first.checkPrivateKey(secret)) {
    throw new ConfigError(`The key in ${files.key} does not match the first certificate in ${files.cert}.`);
  }
  parsed('BOTTEGA_TLS_CERT', files.cert, 'a usable certificate', () => createSecureContext({ cert, key }));
  return { cert, key, names: namesOf(first), until: first.validToDate, isFor: (host) => isCertificateFor(first, host) };
}

/** `host` is in the form that URLs use. */
function isCertificateFor(certificate: X509Certificate, host: string): boolean {
  const bare = host.replaceAll(/[[\]]/g, '');
  return (isIP(bare) ? certificate.checkIP(bare) : certificate.checkHost(bare)) !== undefined;
}

/** The names that the certificate covers. */
const namesOf = ({ subjectAltName = '' }: X509Certificate): string[] =>
  subjectAltName.split(', ').flatMap((one) => (one.startsWith('DNS:') ? [one.slice(4)] : []));

function readFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`Bad setting ${setting}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function parsed<Value>(setting: string, path: string, what: string, parse: () => Value): Value {
  try {
    return parse();
  } catch {
    throw new ConfigError(`Bad setting ${setting}: ${path} does not contain ${what}.`);
  }
}

const lookEveryMs = 1_000;

type Watching = {
  changed(pair: Pair): void;
  /** Called if the changed files cannot be used. The old pair stays in use. */
  failed(error: unknown): void;
};

/**
 * Reads the files again after they have changed and then stayed the same for a moment. It waits because the two files
 * are rarely written at exactly the same time, or a link may be about to change. It polls because network file systems
 * do not report changes.
 */
export function watchPair(files: Files, { changed, failed }: Watching): Heartbeat {
  let inUse: string | null = null;
  let lastSeen = '';
  async function look(): Promise<void> {
    const now = `${await stateOf(files.cert)} ${await stateOf(files.key)}`;
    const isSettled = now === lastSeen;
    lastSeen = now;
    if (!isSettled || now === inUse) return;
    // The pair that was read at the start may be older than the first check.
    inUse = now;
    changed(readPair(files));
  }
  return startHeartbeat({ everyMs: lookEveryMs, beat: look, onError: failed });
}

const stateOf = (path: string): Promise<string> =>
  stat(path).then(
    ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
    ({ code }) => code,
  );
