import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../../foundation/tls/self-signed.fixture.ts';
import { askRenewalInfo, chooseTime, defaultTime } from './renewal-info.ts';
import { renewalIdOf } from './x509.ts';

/** The example of RFC 9773, appendix A, and the id that section 4.1 makes of it. */
const example = new X509Certificate(`-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----`);
const exampleId = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE';

const hour = 3_600_000;
const { signal } = new AbortController();
let answer: { status?: number; retryAfter?: string; body: string };
const asked: (string | undefined)[] = [];
const server = createServer((request, response) => {
  asked.push(request.url);
  if (answer.retryAfter) response.setHeader('retry-after', answer.retryAfter);
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(answer.body);
});
let url: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/renewal-info`;
});
afterAll(() => void server.close());

const window = { start: '2026-01-02T04:00:00Z', end: '2026-01-03T04:00:00Z' };
const saying = (body: object, retryAfter?: string) => ({
  body: JSON.stringify(body),
  ...(retryAfter && { retryAfter }),
});
const askNow = () => askRenewalInfo(url, example, signal);

describe('an authority that is asked about a renewal', () => {
  test('receives the certificate id that RFC 9773 defines', async () => {
    expect(renewalIdOf(example)).toBe(exampleId);
    answer = saying({ suggestedWindow: window }, '21600');
    expect(await askNow()).toEqual({
      window: { start: new Date(window.start), end: new Date(window.end) },
      askAgainMs: 6 * hour,
    });
    expect(asked.at(-1)).toBe(`/renewal-info/${exampleId}`);
  });

  test.each([
    ['1', 60_000],
    ['999999', 24 * hour],
    [undefined, 6 * hour],
    ['soon', 6 * hour],
  ])('is asked again after Retry-After %s, within bounds', async (retryAfter, ms) => {
    answer = saying({ suggestedWindow: window }, retryAfter);
    expect((await askNow())?.askAgainMs).toBe(ms);
  });

  test.each([
    { status: 404, body: '{}' },
    { body: 'no JSON' },
    { body: '{}' },
    saying({ suggestedWindow: { start: window.end, end: window.start } }),
    saying({ suggestedWindow: { start: 'never', end: 'later' } }),
  ])('may give a useless answer (%j), which counts as no answer', async (given) => {
    answer = given;
    expect(await askNow()).toBeNull();
  });

  test('is not asked about a certificate that does not name its authority', async () => {
    const before = asked.length;
    expect(await askRenewalInfo(url, new X509Certificate(selfSigned(['a.test']).cert), signal)).toBeNull();
    expect(asked).toHaveLength(before);
  });
});

describe('the time of a renewal', () => {
  const dates = { start: new Date(window.start), end: new Date(window.end) };

  test('is any time within the window, and stays the same while it is in the window', () => {
    const chosen = chooseTime(dates, null, () => 0.5);
    expect(chosen).toEqual(new Date('2026-01-02T16:00:00Z'));
    expect(chooseTime(dates, chosen, () => 0)).toBe(chosen);
  });

  test('is chosen again if the window has moved', () => {
    expect(chooseTime(dates, new Date('2026-02-01'), () => 0)).toEqual(dates.start);
  });

  test('is a third of the lifetime before the end, if no authority says otherwise', () => {
    const certificate = new X509Certificate(selfSigned(['a.test'], 29).cert);
    const left = certificate.validToDate.getTime() - defaultTime(certificate).getTime();
    expect(left).toBe(10 * 24 * hour);
  });
});
