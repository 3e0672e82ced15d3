import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { type Trx, transaction } from '../../foundation/db/index.ts';
import { newId } from '../../foundation/ids.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { nobody, storeOutcomes } from '../delivery/outcomes.sql.ts';
import { type Answer, ok, type Receiver, startReceiver, status } from '../receiver.fixture.ts';
import { deliveriesOf, happen, quick, subscribe } from '../subscription.fixture.ts';

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

/** An endpoint that answers on command. */
function slowly() {
  const answers: (() => void)[] = [];
  const answer: Answer = (_, response) => void answers.push(() => response.end('late'));
  return { answer, answers };
}

const noBatchIsLeft = () =>
  waitFor('no batch is left', async () => (await service.pool.query('select from webhook_batches')).rowCount === 0);

test('a delivery that arrives at its first attempt is written once, with its outcome and the log of the attempt', async () => {
  const { at, id, accountId } = await hooked();
  for (let count = 0; count < 20; count++) await happen(service, { accountId });
  const rows = await waitFor('all have arrived', async () => {
    const found = await deliveriesOf(service, id);
    return found.length === 20 && found.every((row) => row.status === 'success') && found;
  });
  expect(rows.every((row) => row.attempts === 1 && row.logged === 1 && row.holder === null)).toBe(true);
  expect(at.received).toHaveLength(20);
  await noBatchIsLeft();
  expect(await writesFor(rows[0])).toEqual([1, 0, 0]);
});

/** The rows written to store such a delivery's outcome. */
function writesFor({ webhook_id, event_id, event_type, format, created_at }: Record<string, never>) {
  return transaction(service.db, async (trx) => {
    const made = { attempt: 1, made: true, status: 'success' as const, reason: null, delay_ms: 0, error: null };
    const answer = { response_code: 200, response_time: 1, response_body: 'ok', response_headers: {} };
    const delivery = { webhook_id, event_id, event_type, format, created_at, kind: 'event' as const, project_id: null };
    const started = { delivery_id: newId('dlv'), started_at: new Date(), request_headers: {} };
    const before = await writtenSoFar(trx);
    await storeOutcomes(trx, nobody, [{ ...made, ...answer, ...delivery, ...started }]);
    const after = await writtenSoFar(trx);
    return after.map((count, index) => count - (before[index] ?? 0));
  });
}

/** Deliveries inserted and updated, and attempts inserted, on this connection. */
async function writtenSoFar(trx: Trx): Promise<number[]> {
  const { rows } = await sql<{ counts: number[] }>`
    select array[d.n_tup_ins, d.n_tup_upd, a.n_tup_ins]::int[] as counts
    from pg_stat_xact_user_tables as d, pg_stat_xact_user_tables as a
    where d.relname = 'webhook_deliveries_first' and a.relname = 'webhook_attempts_first'`.execute(trx);
  return rows[0]?.counts ?? [];
}

test('a delivery that is under way can be read by its id, which its receiver knows', async () => {
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

test('a delivery that is under way is listed as pending, wherever deliveries are shown', async () => {
  const { answer, answers } = slowly();
  const { id, accountId, token } = await hooked(answer);
  const ask = async (path: string) => (await call('GET', `${service.url}/api/webhooks/${id}${path}`, { token })).body;
  for (const path of ['/deliveries', '/deliveries?status=pending', '', '/events', '/stats']) {
    const before = answers.length;
    await happen(service, { accountId });
    await waitFor('it is under way', () => answers.length === before + 1);
    const text = JSON.stringify(await ask(path));
    // Deliveries of former rounds are listed too.
    if (path === '/stats') expect(text).toContain(`"pending_deliveries":${before + 1}`);
    else expect(text.match(/"status":"pending"/g)).toHaveLength(before + 1);
  }
  for (const end of answers) end();
  await waitFor('all outcomes', async () =>
    (await deliveriesOf(service, id)).every((row) => row.status === 'success' && row.attempts === 1),
  );
  expect(await deliveriesOf(service, id)).toHaveLength(answers.length);
  await noBatchIsLeft();
});

test('the event of a delivery that is under way is not recovered', async () => {
  const { answer, answers } = slowly();
  const { at, id, accountId, token } = await hooked(answer);
  const since = new Date().toISOString();
  await happen(service, { accountId });
  await waitFor('it is under way', () => answers.length === 1);
  const recovered = await call('POST', `${service.url}/api/webhooks/${id}/recover`, { token, json: { since } });
  expect([recovered.status, recovered.body.scheduled]).toEqual([201, 0]);
  answers[0]?.();
  await waitFor('its outcome', async () => (await deliveriesOf(service, id))[0]?.status === 'success');
  expect(at.received).toHaveLength(1);
  await noBatchIsLeft();
});

test('a delivery that takes long is listed as pending, and ends as one delivery with one attempt', async () => {
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

test('the log has every attempt, also of a delivery that ended without a last attempt', async () => {
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
