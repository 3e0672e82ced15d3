import type { CurrentSession } from '@bottega/contract';
import { type Answer, call } from './http-client.ts';

type Sent = { json?: unknown; headers?: Record<string, string> };

/** Acts like a browser that shows our own page: keeps the cookie, and sends it with the CSRF token and the origin. */
export type Browser = {
  session: CurrentSession;
  cookie: string;
  ask<Body = Record<string, unknown>>(method: string, path: string, sent?: Sent): Promise<Answer<Body>>;
};

export const testPassword = 'correct horse';

export const signIn = (url: string, json: { email: string; password?: string; code?: string }, headers = {}) =>
  call<CurrentSession>('POST', `${url}/v1/auth/sign-in`, { json: { password: testPassword, ...json }, headers });

export async function signedInBrowser(url: string, user: { email: string }, code?: string): Promise<Browser> {
  const answer = await signIn(url, { email: user.email, ...(code !== undefined && { code }) });
  if (answer.status !== 200) throw new Error(`signing in: ${answer.text}`);
  return browserOf(url, answer);
}

/** A browser from an answer that set the cookie. */
export function browserOf(url: string, answer: Answer<CurrentSession>): Browser {
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  return {
    session: answer.body,
    cookie,
    ask: (method, path, { json, headers } = {}) =>
      call(method, `${url}/v1${path}`, {
        ...(json !== undefined && { json }),
        headers: {
          cookie,
          origin: url,
          'sec-fetch-site': 'same-origin',
          'x-csrf-token': answer.body.csrf_token,
          ...headers,
        },
      }),
  };
}
