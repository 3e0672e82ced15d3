import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Credential } from '../../foundation/http/index.ts';

/** The credential that a pass was made with. When it ends, the pass ends too. */
type Maker = { kind: Credential['kind']; id: string; part: string | null; ends: number | null };

/**
 * What lets a browser see a port. A ticket is part of an address, so it is valid only for a minute and for one port. It
 * is exchanged for a cookie of the port's own host, which no other host receives. Rights are also checked at every
 * request.
 */
export type Pass = { workspace: string; port: number; user: string; by: Maker; until: number };
export type PassKind = 'ticket' | 'cookie';

export type Passes = {
  make(kind: PassKind, pass: Omit<Pass, 'until'>): string;
  /** Null if the pass is not valid. */
  read(kind: PassKind, text: string | undefined): Pass | null;
};

export const ticketSeconds = 60;
export const cookieSeconds = 12 * 3600;

export const makerOf = ({ kind, id, part, expiresAt }: Credential): Maker => ({
  kind,
  id,
  part: part ?? null,
  ends: expiresAt?.getTime() ?? null,
});

export const credentialOf = ({ by: { kind, id, part, ends } }: Pass): Credential => ({
  kind,
  id,
  ...(part !== null && { part }),
  expiresAt: ends === null ? null : new Date(ends),
});

export function createPasses(secretKey: Buffer): Passes {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'bottega workspace ports', 32));
  const sign = (kind: PassKind, text: string): Buffer => createHmac('sha256', key).update(`${kind} ${text}`).digest();
  return {
    make(kind, pass) {
      const seconds = kind === 'ticket' ? ticketSeconds : cookieSeconds;
      const until = Math.min(Date.now() + seconds * 1000, pass.by.ends ?? Number.POSITIVE_INFINITY);
      const text = Buffer.from(JSON.stringify({ ...pass, until } satisfies Pass)).toString('base64url');
      return `${text}.${sign(kind, text).toString('base64url')}`;
    },
    read(kind, value = '') {
      const [text = '', signature = ''] = value.split('.', 2);
      const [given, expected] = [Buffer.from(signature, 'base64url'), sign(kind, text)];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const pass = JSON.parse(Buffer.from(text, 'base64url').toString()) as Pass;
      return pass.until > Date.now() ? pass : null;
    },
  };
}
