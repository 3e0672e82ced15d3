import { resolve } from 'node:path';
import { isS3Address, openObjectStore } from '../objects/index.ts';

/**
 * Each function in this file reads the text of a setting into its value. If the text is not valid, the error says what
 * it must be.
 */

export function text(value: string): string {
  if (value.trim() === '') throw new Error('must not be empty');
  return value.trim();
}

/** For settings that are checked later. An invalid value never prevents the start. */
export const trimmed = (value: string): string => value.trim();

export function integer(min: number, max: number) {
  return (value: string): number => {
    const number = /^\d{1,15}$/.test(value.trim()) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  };
}

export function oneOf<const Choice extends string>(...choices: Choice[]) {
  return (value: string): Choice => {
    const chosen = choices.find((choice) => choice === value.trim());
    if (!chosen) throw new Error(`must be one of ${choices.join(', ')}`);
    return chosen;
  };
}

export function autoOr<Value>(parse: (text: string) => Value) {
  return (value: string): Value | 'auto' => (value.trim() === 'auto' ? 'auto' : parse(value));
}

export function list<Value>(parse: (text: string) => Value) {
  return (value: string): Value[] =>
    value
      .split(',')
      .filter((part) => part.trim() !== '')
      .map((part) => parse(part.trim()));
}

export function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.pathname !== '/') {
    throw new Error('must be an http or https address without a path, such as https://bottega.example.com');
  }
  return url.origin;
}

/** An https address. It may have a path, as the address of a certificate authority does. */
export function httpsAddress(value: string): string {
  if (!URL.canParse(value) || new URL(value).protocol !== 'https:') throw new Error('must be an https address');
  return value;
}

export function mailAddress(value: string): string {
  if (!/^[^\s@,?&]+@[^\s@,?&]+$/.test(value.trim())) throw new Error('must be an e-mail address');
  return value.trim();
}

export function directoryOrBucket(value: string): string {
  const address = text(value);
  if (!isS3Address(address)) return resolve(address);
  // This only checks whether the address can be parsed. It sends no request.
  openObjectStore(address, { endpoint: null, region: null });
  return address;
}

/** Every node must reach the bucket, so a directory is not accepted. */
export function bucket(value: string): string {
  const address = text(value);
  if (!isS3Address(address)) throw new Error('must be an address such as s3://bucket/prefix');
  return directoryOrBucket(address).replace(/\/+$/, '');
}

export function corsOrigin(value: string): string {
  return value === '*' ? value : httpUrl(value);
}

/** Checks only the form. At the start, the job queue checks whether all numbers are within their bounds. */
export function crontabTime(value: string): string {
  const fields = value.trim().split(/\s+/);
  if (fields.length !== 5 || !fields.every((field) => /^[\d*,/-]+$/.test(field))) {
    throw new Error('must be the five fields of a crontab, such as 30 3 * * *');
  }
  return fields.join(' ');
}

export function postgresUrl(value: string): string {
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol)) {
    throw new Error('must be a postgres:// address');
  }
  return value;
}

export function redisUrl(value: string): string {
  if (!URL.canParse(value) || !/^rediss?:$/.test(new URL(value).protocol) || new URL(value).hostname === '') {
    throw new Error('must be a redis:// or rediss:// address');
  }
  return value;
}

export function smtpUrl(value: string): string {
  if (!URL.canParse(value) || !/^smtps?:$/.test(new URL(value).protocol) || new URL(value).hostname === '') {
    throw new Error('must be an smtp:// or smtps:// address');
  }
  return value;
}

export function secretKey(value: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(value.trim()) ? Buffer.from(value.trim(), 'hex') : Buffer.from(value, 'base64');
  if (key.length !== 32) throw new Error('must be 32 bytes, as 64 hex digits or in base64');
  return key;
}

export function tier(value: string): { requests: number; burst: number } {
  const [, requests, burst] = /^(\d{1,9})\/(\d{1,9})$/.exec(value.trim()) ?? [];
  if (!requests || !burst || Number(requests) === 0 || Number(burst) === 0) {
    throw new Error('must be two positive numbers such as 1000/100');
  }
  return { requests: Number(requests), burst: Number(burst) };
}

const orNone =
  (min: number) =>
  (value: string): number | null =>
    value.trim() === 'none' ? null : integer(min, Number.MAX_SAFE_INTEGER)(value);

export const amount = orNone(0);
/** For limits with which 0 would mean waiting forever, so it is not allowed. */
export const someOrNone = orNone(1);
