import { randomBytes } from 'node:crypto';
import { typeidUnboxed } from 'typeid-js';

export type IdPrefix =
  | 'req'
  | 'usr'
  | 'key'
  | 'svc'
  | 'sva'
  | 'sgn'
  | 'app'
  | 'grt'
  | 'aud'
  | 'alt'
  | 'prj'
  | 'col'
  | 'fil'
  | 'dir'
  | 'tpl'
  | 'evt'
  | 'whk'
  | 'dlv'
  | 'dep'
  | 'bld'
  | 'dom'
  | 'art'
  | 'ins'
  | 'var'
  | 'ses'
  | 'ltx'
  | 'cmt'
  | 'ntf'
  | 'wks'
  | 'cmd'
  | 'trm'
  | 'lay'
  | 'snp'
  | 'mrt'
  | 'mrc'
  | 'mrr'
  | 'chk'
  | 'brl';

/** A TypeID: a prefix and a time-ordered UUID, so new rows land at the end of their indexes. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/**
 * Whether a text has the form of one of our ids. If it does not, for example because it contains a NUL byte, the caller
 * answers 404 without a query.
 */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && /^[0-9a-z]{26}$/.test(text.slice(-26));
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/**
 * The smallest id that can be created at this time. The first ten characters of an id encode its time, so smaller ids
 * are older.
 */
export function firstIdAt(prefix: IdPrefix, time: Date): string {
  const digits = Array.from({ length: 10 }, (_, index) =>
    alphabet.charAt(Math.floor(time.getTime() / 32 ** (9 - index)) % 32),
  );
  return `${prefix}_${digits.join('')}${'0'.repeat(16)}`;
}

/** Returns when the id was created, in milliseconds. */
export function timeOfId(id: string): number {
  const digits = id.slice(id.indexOf('_') + 1).slice(0, 10);
  return [...digits].reduce((time, digit) => time * 32 + alphabet.indexOf(digit), 0);
}

/**
 * Creates the ids of requests. Every request gets one, so creating one must be cheap: it consists of 80 random bits for
 * the node, and a counter. It has the same length as other ids.
 */
export function createRequestIds(): () => string {
  const node = [...randomBytes(16)].map((byte) => alphabet.charAt(byte % 32)).join('');
  let requests = 0;
  return () => {
    requests += 1;
    return `req_${node}${requests.toString(32).padStart(10, '0')}`;
  };
}
