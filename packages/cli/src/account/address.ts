import { Failure } from '../terminal/failure.ts';

const onThisMachine = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The URL of a service in its stored form: with a scheme, without a trailing slash. */
export function addressOf(given: string): string {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(given);
  const host = /^(\[[^\]]*\]|[^/:]*)/.exec(given)?.[0] ?? '';
  const text = hasScheme ? given : `${onThisMachine.test(host) ? 'http' : 'https'}://${given}`;
  if (!/^https?:/i.test(text) || !URL.canParse(text)) {
    throw new Failure('usage', `${given} is not an http or https address.`);
  }
  const url = new URL(text);
  if (url.username || url.password) throw new Failure('usage', 'The address must not contain a password; use --token.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Whether traffic to this URL is unencrypted. */
export function isInTheClear(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !onThisMachine.test(hostname);
}
