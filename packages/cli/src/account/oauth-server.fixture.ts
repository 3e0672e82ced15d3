import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';

type Form = Record<string, string>;
/** The fields of an answer. `status` is its status; by default 200, or 400 for an error. */
type Answer = Record<string, unknown>;

/** Answers the requests of a sign-in in order from a script, and records them. */
export function useOauthServer() {
  let answers: (Answer | (() => Promise<Answer>))[] = [];
  let codes = 0;
  const deviceCode = () => `device-${codes}`;
  const server = {
    url: '',
    asked: [] as { path: string; form: Form }[],
    /**
     * Answers of the token endpoint for sign-ins that begin later. The last request of one that Ctrl-C ended may still
     * arrive, and uses none of them.
     */
    set answers(given: typeof answers) {
      answers = given;
      codes++;
    },
    code: { user_code: 'ABCD-EFGH', expires_in: 60, interval: 0.01 } as Answer,
  };
  const http = createServer(async (request, response) => {
    const path = request.url ?? '';
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const answered = await answerTo(path, form);
    const { status = 200, ...body } = { ...('error' in answered && { status: 400 }), ...answered };
    response.writeHead(Number(status), { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });

  async function answerTo(path: string, form: Form): Promise<Answer> {
    if (path.startsWith('/.well-known/')) {
      return {
        token_endpoint: `${server.url}/token`,
        device_authorization_endpoint: `${server.url}/device`,
        revocation_endpoint: `${server.url}/revoke`,
        scopes_supported: ['read:user', 'write:files'],
      };
    }
    if (path === '/v1/user')
      return { id: 'usr_1', name: 'Ada', email: 'ada@example.com', subscription: { plan: 'free' } };
    server.asked.push({ path, form });
    if (path === '/device') {
      return { verification_uri: `${server.url}/activate`, device_code: deviceCode(), ...server.code };
    }
    if (path !== '/token') return {};
    const isLate = form.device_code !== undefined && form.device_code !== deviceCode();
    const next = isLate ? { error: 'expired_token' } : answers.shift();
    return typeof next === 'function' ? next() : (next ?? { error: 'authorization_pending' });
  }

  beforeAll(async () => {
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterAll(() => http.close());
  return server;
}
