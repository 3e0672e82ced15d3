import { describe, expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const tight = { BOTTEGA_RATE_LIMIT_FREE: '1000/5', BOTTEGA_RATE_LIMIT_BURST_WINDOW: '3600' };

/** Sends six requests without a credential, each with the X-Forwarded-For that `header` returns. */
async function sixStatuses(url: string, header: (index: number) => string): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < 6; index++) {
    const answer = await call('GET', `${url}/v1/user`, { headers: { 'x-forwarded-for': header(index) } });
    found.push(answer.status);
  }
  return found;
}
const oneBudget = [401, 401, 401, 401, 401, 429];
const budgetsOfTheirOwn = [401, 401, 401, 401, 401, 401];

describe('X-Forwarded-For from anybody', () => {
  const service = useTestService({ settings: tight });
  test('is ignored: an invented address does not get around the limit', async () => {
    expect(await sixStatuses(service.url, (index) => `203.0.113.${index}`)).toEqual(oneBudget);
  });
});

describe('X-Forwarded-For from a proxy that is not in BOTTEGA_TRUSTED_PROXIES', () => {
  const service = useTestService({ settings: { ...tight, BOTTEGA_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7' } });
  test('is ignored', async () => {
    expect(await sixStatuses(service.url, (index) => `203.0.113.${index}`)).toEqual(oneBudget);
  });
});

describe('X-Forwarded-For from a trusted proxy', () => {
  const service = useTestService({ settings: { ...tight, BOTTEGA_TRUSTED_PROXIES: '127.0.0.1/32,10.0.0.0/8' } });

  test('tells clients apart', async () => {
    expect(await sixStatuses(service.url, (index) => `203.0.113.${index}`)).toEqual(budgetsOfTheirOwn);
    expect(await sixStatuses(service.url, () => '203.0.113.100')).toEqual(oneBudget);
  });

  test('is read from the right, and what the client itself put before is ignored', async () => {
    expect(await sixStatuses(service.url, (index) => `192.0.2.${index}, 203.0.113.101`)).toEqual(oneBudget);
  });

  test('is read through a chain of trusted proxies', async () => {
    expect(await sixStatuses(service.url, (index) => `203.0.113.102, 10.0.0.${index}`)).toEqual(oneBudget);
  });
});
