import { randomBytes } from 'node:crypto';
import { Bottega } from '@bottega/sdk';
import { inject } from 'vitest';
import { testPassword as password } from '../apps/server/src/testing/clients/browser.ts';
import { waitFor } from '../apps/server/src/testing/parts/wait-for.ts';
import type { DnsRecord, Mail } from './outside.ts';
import type { Installation } from './setup.ts';

export type Person = { id: string; email: string; name: string; password: string; key: string; client: Bottega };

/** Differs between runs, since a service may keep data of former runs. */
export const runId = randomBytes(4).toString('hex');
let created = 0;

export const installation = (): Installation => inject('installation');

export const administrator = (): Bottega => clientOf(installation().admin.key);

/** Makes no retries: a story is about the service's answers. */
export const clientOf = (token: string, baseUrl = installation().url): Bottega =>
  new Bottega({ baseUrl, token, maxRetries: 0 });

type Options = { name?: string; plan?: 'free' | 'pro' | 'enterprise' };

/** An account of a new person: the administrator creates it, its owner sets a password by the link and makes a key. */
export async function newPerson({ name = 'Ada', plan = 'pro' }: Options = {}): Promise<Person> {
  const { url } = installation();
  const email = `person-${++created}-${process.pid}-${runId}@example.com`;
  const account = await administrator().admin.createUser({ email, name, plan });
  const token = new URLSearchParams(new URL(account.reset_link.url).hash.slice(1)).get('token');
  await send(`${url}/v1/auth/password/reset`, { token, password });
  const session = await signIn({ email, password });
  const { key } = await session.ask<{ key: string }>('POST', '/v1/user/api-keys', { name: 'Stories' });
  return { id: account.id, email, name, password, key, client: clientOf(key) };
}

export type Session = {
  /** Throws unless the answer is a 2xx. */
  ask<Body>(method: string, path: string, json?: unknown): Promise<Body>;
  status(path: string, node?: string): Promise<number>;
};

/** Signs in as the dashboard does: a cookie, and for changes the CSRF token. */
export async function signIn({ email, password: given }: Pick<Person, 'email' | 'password'>): Promise<Session> {
  const { url } = installation();
  const answer = await send(`${url}/v1/auth/sign-in`, { email, password: given });
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { csrf_token: csrf } = (await answer.json()) as { csrf_token: string };
  const headers = { cookie, 'x-csrf-token': csrf, origin: url, connection: 'close' };
  return {
    async ask(method, path, json) {
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      const type = json === undefined ? {} : { 'content-type': 'application/json' };
      const said = await fetch(url + path, { method, headers: { ...headers, ...type }, ...body });
      if (!said.ok) throw new Error(`${method} ${path} is answered ${said.status}: ${await said.text()}`);
      return (said.status === 204 ? undefined : await said.json()) as never;
    },
    status: async (path, node = url) => (await fetch(node + path, { headers })).status,
  };
}

/** Waits for the mail. */
export const mailTo = (email: string, subject: string): Promise<Mail> =>
  waitFor(`the mail "${subject}" to ${email}`, async () => {
    const mails = await fetch(`${installation().outside}/?to=${encodeURIComponent(email)}`);
    return ((await mails.json()) as Mail[]).findLast((mail) => mail.subject === subject);
  });

/** Sets what public names resolve to. */
export const setRecord = async (record: DnsRecord): Promise<void> =>
  void (await fetch(installation().outside, { method: 'POST', body: JSON.stringify(record) }));

async function send(address: string, json: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: new URL(address).origin };
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(json) });
  if (!answer.ok) throw new Error(`${address} is answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
