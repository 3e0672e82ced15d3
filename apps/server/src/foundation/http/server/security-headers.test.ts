import { describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/clients/expect-error.ts';
import { call } from '../../../testing/clients/http-client.ts';
import { sendBytes } from '../../../testing/clients/raw-http.ts';
import { createProject } from '../../../testing/samples/sample-projects.ts';
import { startTestService, useTestService } from '../../../testing/service/test-service.ts';

const service = useTestService();
const named = useTestService({ settings: { BOTTEGA_CORS_ORIGINS: 'https://app.example.com, *' } });

describe('every answer (ASVS 3.4)', () => {
  test.each(['/v1/user', '/v1/nothing', '/healthz', '/openapi.json', '/docs/', '/', '/v1/%zz', '/avatars/x'])(
    'has a policy for browsers, at %s',
    async (path) => {
      const { headers } = await call('GET', `${service.url}${path}`);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('strict-transport-security')).toBeNull();
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  test('has this policy even if the request is not valid HTTP', async () => {
    const { headers } = await sendBytes(service.url, 'NONSENSE\r\n\r\n');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('allows nothing if it is data, and only its own content if it is the documentation', async () => {
    const data = await call('GET', `${service.url}/v1/user`);
    expect(data.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    const docs = await call('GET', `${service.url}/docs/`);
    expect(docs.headers.get('content-security-policy')).toMatch(/^default-src 'self';.*object-src 'none'/);
  });

  test("that is a user's file keeps its sandbox", async () => {
    const user = await service.createUser();
    const { id } = await createProject(service, user);
    const file = await call<{ id: string }>('PUT', `${service.url}/v1/projects/${id}/files`, {
      token: user.key,
      json: { path: '/x.html', content: '<script>alert(1)</script>' },
    });
    const url = `${service.url}/v1/projects/${id}/files/${file.body.id}/content`;
    const { headers } = await call('GET', url, { token: user.key });
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  test('demands HTTPS for a year if the service is reached by HTTPS (ASVS 3.4.1)', async () => {
    const settings = { BOTTEGA_PUBLIC_URL: 'https://bottega.example.com' };
    const { running, close } = await startTestService({ settings, role: 'api' });
    const { port } = running.service.app.server.address() as { port: number };
    const { headers } = await call('GET', `http://127.0.0.1:${port}/v1/user`);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    await close();
  });
});

describe('pages of other origins (ASVS 3.4.2)', () => {
  const preflight = (url: string, origin: string) =>
    call('OPTIONS', `${url}/v1/projects`, { headers: { origin, 'access-control-request-method': 'POST' } });

  test('have no access unless a setting names them', async () => {
    expectError(await preflight(service.url, 'https://app.example.com'), { status: 404, code: 'NOT_FOUND' });
  });

  test('may send requests with the cookie if they are named', async () => {
    const answer = await preflight(named.url, 'https://app.example.com');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
    expect(answer.headers.get('access-control-allow-headers')).toContain('X-CSRF-Token');
    expect(answer.headers.get('vary')).toBe('Origin');
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(answer.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
  });

  test('may send requests only without the cookie if they are not named but all origins are allowed', async () => {
    const user = await named.createUser();
    const headers = { origin: 'https://elsewhere.example' };
    const answer = await call('GET', `${named.url}/v1/user`, { token: user.key, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
    expect(
      (await preflight(named.url, 'https://elsewhere.example')).headers.get('access-control-allow-credentials'),
    ).toBeNull();
  });

  test('may change things by cookie and token if they are named, and not otherwise', async () => {
    const user = await named.createUser();
    const json = { email: user.email, password: 'correct horse' };
    const headers = { origin: 'https://app.example.com', 'sec-fetch-site': 'same-site' };
    const signIn = await call('POST', `${named.url}/v1/auth/sign-in`, { json, headers });
    expect(signIn.status).toBe(200);
    const cookie = (signIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const change = (origin: string) =>
      call('PATCH', `${named.url}/v1/user`, {
        json: { name: 'Changed' },
        headers: { cookie, origin, 'x-csrf-token': String(signIn.body.csrf_token) },
      });
    expect((await change('https://app.example.com')).status).toBe(200);
    expectError(await change('https://elsewhere.example'), { status: 403, code: 'AUTHORIZATION_ERROR' });
  });
});
