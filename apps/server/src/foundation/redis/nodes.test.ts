import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { useReceiver } from '../../testing/clients/webhook-receiver.ts';
import { describeWith } from '../../testing/parts/programs.ts';
import { useRedis } from '../../testing/parts/redis.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { createWebhook } from '../../testing/samples/sample-webhooks.ts';
import { startNode } from '../../testing/service/node.ts';
import { startTestService, type TestService, type TestUser } from '../../testing/service/test-service.ts';
import { listen } from '../db/listener.ts';

describeWith(['redis-server'], 'three nodes with one Redis', () => {
  const redis = useRedis();
  const receiver = useReceiver();
  let main: TestService;
  let urls: string[];
  let user: TestUser;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    // Buckets that practically do not refill during a test.
    const settings = {
      REDIS_URL: redis.url(),
      // A limit is exact while Redis answers in time. A busy machine must not change that here.
      BOTTEGA_REDIS_PATIENCE: '10000',
      BOTTEGA_RATE_LIMIT_FREE: '50/1000',
      BOTTEGA_RATE_LIMIT_PRO: '100000/100000',
      BOTTEGA_RATE_LIMIT_BURST_WINDOW: '3600',
    };
    const started = await startTestService({ settings });
    closing.push(started.close);
    main = started.running;
    const { connection } = main.database;
    const shared = { connection, secretKey: main.secretKey, settings };
    const others = await Promise.all([startNode(shared), startNode(shared)]);
    closing.unshift(...others.map((one) => one.close));
    urls = [main.url, ...others.map(({ url }) => url)];
    await waitFor('Redis is there for all', async () =>
      (await Promise.all(urls.map(redisProblem))).every((problem) => problem === null),
    );
    user = await main.createUser({ plan: 'pro' });
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  async function redisProblem(url: string): Promise<string | null | undefined> {
    const { body } = await call<{ details: { redis: { problem: string | null } } }>('GET', `${url}/readyz`);
    return body.details.redis.problem;
  }
  const ask = (index: number, token: string) => call('GET', `${urls[index % 3]}/v1/user`, { token });
  const askTogether = async (count: number, token: string) => {
    const answers = await Promise.all(Array.from({ length: count }, (_, index) => ask(index, token)));
    return answers.map(({ status }) => status);
  };

  test('let exactly 50 of 80 requests pass that reach all of them at once', async () => {
    const { key } = await main.createUser();
    const statuses = await askTogether(80, key);
    expect(statuses.filter((one) => one === 200)).toHaveLength(50);
    expect(statuses.filter((one) => one === 429)).toHaveLength(30);
  });

  test('deliver the events of a node that does not deliver itself, without notifications by the database', async () => {
    const hook = receiver.at('/far');
    const nudges: (string | undefined)[] = [];
    const { connection } = main.database;
    const listener = listen({ connection, channel: 'bottega_webhooks', onChange: (nudge) => void nudges.push(nudge) });
    closing.unshift(listener.close);
    await createWebhook(main, user, { url: hook.url, events: ['project.created'] });
    await waitFor('an event has arrived', async () => {
      await call('POST', `${urls[1]}/v1/projects`, { token: user.key, json: { name: `Far ${Date.now()}` } });
      return hook.received.length > 0;
    });
    expect(nudges).not.toContain('events');
  });

  test('answer all requests while Redis is killed, and give nobody a new budget', async () => {
    const { key } = await main.createUser();
    const before = await askTogether(27, key);
    // One after the other, so that each knows the ones before.
    for (const index of [0, 1, 2]) before.push((await ask(index, key)).status);
    expect(new Set(before)).toEqual(new Set([200]));
    const during = askTogether(60, user.key);
    await redis.kill();
    expect(new Set(await during)).toEqual(new Set([200]));
    expect(new Set(await askTogether(30, user.key))).toEqual(new Set([200]));
    expect(await redisProblem(urls[0] ?? '')).toMatch(/^Redis \(REDIS_URL\) is unavailable/);
    // Each node counts on from the last of its own answers: 28, 29 and 30.
    const after = (await askTogether(120, key)).filter((one) => one === 200);
    expect(after).toHaveLength(22 + 21 + 20);
    await redis.start();
    await waitFor('Redis is there for all', async () =>
      (await Promise.all(urls.map(redisProblem))).every((problem) => problem === null),
    );
  });
});
