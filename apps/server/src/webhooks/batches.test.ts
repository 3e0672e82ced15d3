import { afterEach, expect, test } from 'vitest';
import { call } from '../testing/http-client.ts';
import { useTestService } from '../testing/test-service.ts';
import { waitFor } from '../testing/wait-for.ts';
import { type Answer, ok, type Receiver, startReceiver, status } from './receiver.fixture.ts';
import { deliveriesOf, happen, quick, subscribe } from './subscription.fixture.ts';

const service = useTestService();
const toClose: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of toClose.splice(0)) await one.close();
});

async function hooked(answer: Answer = ok): Promise<{ at: Receiver; id: string; accountId: string; token: string }> {
  const at = await startReceiver(answer);
  toClose.push(at);
  const user = await service.createUser();
  const id = await subscribe(service, { ownerId: user.id, url: at.url, policy: quick });
  return { at, id, accountId: user.id, token: user.key };
}

/** Answers when it is told to. */
function slowly() {
  const answers: (() => void)[] = [];
  const answer: Answer = (_, response) => void answers.push(() => response.end('late'));
  return { answer, answers };
}

const written = async (table: string) =>
  (
    await service.pool.query(
      'select n_tup_ins::int as inserted, n_tup_upd::int as updated from pg_stat_user_tables where relname = $1',
      [table],
    )
  ).rows[0];

const noBatchIsLeft = () =>
  waitFor('no batch is left', async () => (await service.pool.query('select from webhook_batches')).rowCount === 0);

test('what arrives at its first attempt is written once, with its outcome and the log of the attempt', async () => {
  const { at, id, accountId } = await hooked();
  const before = await written('webhook_deliveries');
  for (let count = 0; count < 20; count++) await happen(service, { accountId });
  await waitFor('all are stored', async () => (await deliveriesOf(service, id)).length === 20);
  expect((await deliveriesOf(service, id)).every((row) => row.status === 'success' && row.logged === 1)).toBe(true);
  expect(at.received).toHaveLength(20);
  const after = await waitFor('the server has counted', async () => {
    const now = await written('webhook_deliveries');
    return now.inserted - before.inserted === 20 && now;
  });
  expect(after.updated - before.updated).toBe(0);
  expect((await written('webhook_attempts')).inserted).toBe(0);
  await noBatchIsLeft();
});

test('one that is under way is there for whoever asks by its id, which its receiver knows', async () => {
  const { answer, answers } = slowly();
  const { at, id, accountId, token } = await hooked(answer);
  await happen(service, { accountId });
  await waitFor('it is under way', () => answers.length === 1);
  const address = `${service.url}/api/webhooks/${id}/deliveries/${at.received[0]?.headers['x-service-delivery']}`;
  const seen = await call('GET', address, { token });
  expect([seen.status, seen.body.status, seen.body.attempts]).toEqual([200, 'pending', 0]);
  answers[0]?.();
  await waitFor('its outcome', async () => (await call('GET', address, { token })).body.status === 'success');
  const { body } = await call('GET', address, { token });
  expect(body.attempt_log).toMatchObject([{ attempt: 1, response_code: 200, response: { body: 'late' } }]);
  await noBatchIsLeft();
});

test('one that takes long is listed as pending, and ends as one delivery with one attempt', async () => {
  const { answer, answers } = slowly();
  const { id, accountId, token } = await hooked(answer);
  await happen(service, { accountId });
  const list = `${service.url}/api/webhooks/${id}/deliveries`;
  const pending = await waitFor('it is listed', async () => {
    const { body } = await call('GET', list, { token });
    return body.total === 1 && body;
  });
  expect(pending).toMatchObject({ deliveries: [{ status: 'pending' }], stats: { pending_deliveries: 1 } });
  await noBatchIsLeft();
  answers[0]?.();
  await waitFor('its outcome', async () => (await deliveriesOf(service, id))[0]?.status === 'success');
  expect(await deliveriesOf(service, id)).toMatchObject([{ attempts: 1, logged: 1, holder: null }]);
});

test('the log has every attempt, also of one that ended without a last one', async () => {
  let attempts = 0;
  const { id, accountId, token } = await hooked((...all) => (++attempts < 3 ? status(500) : ok)(...all));
  await happen(service, { accountId });
  const [row] = await waitFor('it arrived', async () => {
    const rows = await deliveriesOf(service, id);
    return rows[0]?.status === 'success' && rows;
  });
  const { body } = await call('GET', `${service.url}/api/webhooks/${id}/deliveries/${row.id}`, { token });
  expect(body.attempt_log).toMatchObject([{ response_code: 500 }, { response_code: 500 }, { response_code: 200 }]);

  const off = await hooked(status(500));
  const policy = { backoff_strategy: 'fixed', initial_delay: 700 };
  await service.pool.query('update webhooks set retry_policy = $2 where id = $1', [off.id, policy]);
  await happen(service, { accountId: off.accountId });
  await waitFor('a first attempt', async () => (await deliveriesOf(service, off.id))[0]?.attempts === 1);
  await service.pool.query('update webhooks set active = false where id = $1', [off.id]);
  const [ended] = await waitFor('it is over', async () => {
    const rows = await deliveriesOf(service, off.id);
    return rows[0]?.status === 'failed' && rows;
  });
  const detail = await call('GET', `${service.url}/api/webhooks/${off.id}/deliveries/${ended.id}`, {
    token: off.token,
  });
  expect(detail.body).toMatchObject({ attempts: 1, reason: 'inactive' });
  expect(detail.body.attempt_log).toMatchObject([{ attempt: 1, error: 'HTTP 500 Internal Server Error' }]);
});
