import { expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { startReceiver } from '../receiver.fixture.ts';
import { happen, subscribe } from '../subscription.fixture.ts';

const service = useTestService();

test('the metrics count attempts, show the queue, and how long events take to go out', async () => {
  const at = await startReceiver();
  const user = await service.createUser();
  await subscribe(service, { ownerId: user.id, url: at.url });
  await happen(service, { accountId: user.id });
  const text = await waitFor('it is counted', async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    return metrics.includes('bottega_webhook_attempts_total{outcome="success"} 1') && metrics;
  });
  expect(text).toMatch(/bottega_webhook_queue\{state="waiting"\} 0/);
  expect(text).toMatch(/bottega_webhook_queue\{state="active"\} 0/);
  expect(text).toMatch(/bottega_webhook_queue\{state="pending"\} [01]/);
  expect(text).toMatch(/bottega_webhook_lag_seconds_count 1/);
  await at.close();
});
