import type { WebhookStats } from '@bottega/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../foundation/ids.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { createWebhook, listDeliveries, onWebhooks } from '../../testing/samples/sample-webhooks.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { bucketLows } from '../delivery/response-histogram.ts';

const service = useTestService({ role: 'api', settings: { BOTTEGA_WEBHOOK_LIMIT: '1000' } });
let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
});

type Past = { at: Date; type?: string; status?: 'success' | 'failed' | 'pending'; ms?: number | null };

/** A webhook with these past deliveries and their rollup. */
async function webhookWith(history: Past[]): Promise<string> {
  const { webhook_id: id } = await createWebhook(service, user);
  const rows = history.map(({ at, type = 'project.created', status = 'success', ms = 10 }) => ({
    id: newId('dlv'),
    webhook_id: id,
    event_id: newId('evt'),
    event_type: type,
    format: 'reference' as const,
    kind: 'event' as const,
    status,
    attempts: 1,
    response_time: status === 'pending' ? null : ms,
    created_at: at,
  }));
  if (rows.length > 0) await service.db.insertInto('webhook_deliveries').values(rows).execute();
  await sql`
    insert into webhook_payloads (event_id, format, event_type, event_at, data)
    select event_id, format, event_type, created_at, '{}' from webhook_deliveries where webhook_id = ${id}`.execute(
    service.db,
  );
  await sql`
    insert into webhook_stats (webhook_id, hour, event_type, status, deliveries, responses, response_ms)
    select webhook_id, date_trunc('hour', created_at, 'UTC'), event_type, status, count(*), count(response_time),
      coalesce(sum(response_time), 0)
    from webhook_deliveries where webhook_id = ${id} and status <> 'pending' group by 1, 2, 3, 4`.execute(service.db);
  await sql`
    insert into webhook_response_times (webhook_id, hour, bucket, deliveries)
    select webhook_id, date_trunc('hour', created_at, 'UTC'),
      width_bucket(response_time, ${bucketLows}::integer[]) - 1, count(*)
    from webhook_deliveries where webhook_id = ${id} and response_time is not null group by 1, 2, 3`.execute(
    service.db,
  );
  return id;
}

async function stats(id: string, query = ''): Promise<WebhookStats> {
  const answer = await onWebhooks<WebhookStats>(service, user, ['GET', `/${id}/stats${query}`]);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const ago = (ms: number): Date => new Date(Date.now() - ms);

describe('GET /api/webhooks/{webhook_id}/stats', () => {
  test('has the fields of both documented variants at once', async () => {
    const at = new Date('2026-03-04T10:20:30Z');
    const id = await webhookWith([
      { at, ms: 10 },
      { at, ms: 20, type: 'file.updated' },
      { at: new Date('2026-03-05T10:20:30Z'), ms: 12, status: 'failed' },
      { at: new Date('2026-03-05T23:59:59.999Z'), ms: null, status: 'failed' },
      { at: new Date('2026-03-05T00:00:00Z'), status: 'pending' },
    ]);
    expect(await stats(id, '?start_date=2026-03-04&end_date=2026-03-05&period=day')).toEqual({
      webhook_id: id,
      period: 'day',
      start_date: '2026-03-04T00:00:00.000Z',
      end_date: '2026-03-05T23:59:59.999Z',
      success_rate: 50,
      avg_response_time: 14,
      total_events: 5,
      failed_events: 2,
      overall_stats: {
        total_deliveries: 5,
        successful_deliveries: 2,
        failed_deliveries: 2,
        pending_deliveries: 1,
        success_rate: 50,
        average_response_time: 14,
        median_response_time: 12,
        p95_response_time: 20,
        p99_response_time: 20,
      },
      daily_stats: [
        {
          date: '2026-03-04',
          total_deliveries: 2,
          successful_deliveries: 2,
          failed_deliveries: 0,
          success_rate: 100,
          average_response_time: 15,
        },
        {
          date: '2026-03-05',
          total_deliveries: 3,
          successful_deliveries: 0,
          failed_deliveries: 2,
          success_rate: 0,
          average_response_time: 12,
        },
      ],
      event_type_stats: [
        {
          event_type: 'file.updated',
          total_deliveries: 1,
          successful_deliveries: 1,
          failed_deliveries: 0,
          success_rate: 100,
        },
        {
          event_type: 'project.created',
          total_deliveries: 4,
          successful_deliveries: 1,
          failed_deliveries: 2,
          success_rate: 33.33,
        },
      ],
    });
  });

  test('is all zeros if there are no deliveries', async () => {
    const body = await stats(await webhookWith([]));
    expect(body).toMatchObject({ period: 'week', total_events: 0, success_rate: 0, avg_response_time: 0 });
    expect(body.overall_stats).toMatchObject({ total_deliveries: 0, average_response_time: 0 });
    expect(body.overall_stats).toMatchObject({ median_response_time: 0, p95_response_time: 0, p99_response_time: 0 });
    expect(body.event_type_stats).toEqual([]);
  });

  test('Webhooks API, stats response: daily_stats has every day of the period, with zeros where nothing was delivered', async () => {
    const id = await webhookWith([{ at: new Date('2026-03-04T12:00:00Z') }]);
    const daily = async (query: string) =>
      (await stats(id, query)).daily_stats.map(({ date, total_deliveries }) => [date, total_deliveries]);
    expect(await daily('?start_date=2026-03-03&end_date=2026-03-06')).toEqual([
      ['2026-03-03', 0],
      ['2026-03-04', 1],
      ['2026-03-05', 0],
      ['2026-03-06', 0],
    ]);
    const empty = (await stats(id, '?start_date=2026-03-03&end_date=2026-03-03')).daily_stats;
    expect(empty).toEqual([
      {
        date: '2026-03-03',
        total_deliveries: 0,
        successful_deliveries: 0,
        failed_deliveries: 0,
        success_rate: 0,
        average_response_time: 0,
      },
    ]);
    expect(await daily('?period=week')).toHaveLength(8);
    // At most a year of zeros, and no days in the future.
    expect(await daily('?start_date=1970-01-01&end_date=2026-03-06')).toHaveLength(366);
    expect((await daily('?start_date=2026-03-03&end_date=9999-01-01')).at(-1)?.[0]).toBe(
      new Date().toISOString().slice(0, 10),
    );
  });

  test.each([
    ['hour', 1],
    ['day', 2],
    ['week', 3],
    ['month', 4],
  ])('covers one %s up to now', async (period, count) => {
    const spans = [hour, day, 7 * day, 30 * day];
    const id = await webhookWith(spans.flatMap((span) => [{ at: ago(span - minute) }]).concat({ at: ago(31 * day) }));
    const body = await stats(id, `?period=${period}`);
    expect(body.overall_stats.total_deliveries).toBe(count);
    const length = Date.parse(body.end_date) - Date.parse(body.start_date);
    expect(length).toBe(spans[count - 1]);
    expect(Date.now() - Date.parse(body.end_date)).toBeLessThan(minute);
  });

  test('is exact for every period, wherever it begins and ends', async () => {
    const start = Date.parse('2026-05-01T00:00:00Z');
    const at = fc.integer({ min: 0, max: 6 * 60 }).map((minutes) => new Date(start + minutes * minute));
    const past = fc.record({
      at,
      status: fc.constantFrom('success' as const, 'failed' as const, 'pending' as const),
      type: fc.constantFrom('project.created', 'file.updated'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(past, { maxLength: 30 }), at, at, async (history, one, other) => {
        const [from, to] = one < other ? [one, other] : [other, one];
        const id = await webhookWith(history);
        const inside = history.filter((each) => each.at >= from && each.at <= to);
        const counted = (status?: string) => inside.filter((each) => !status || each.status === status).length;
        const query = `?start_date=${from.toISOString()}&end_date=${to.toISOString()}`;
        const { overall_stats, event_type_stats } = await stats(id, query);
        expect(overall_stats).toMatchObject({
          total_deliveries: counted(),
          successful_deliveries: counted('success'),
          failed_deliveries: counted('failed'),
          pending_deliveries: counted('pending'),
        });
        expect(event_type_stats.reduce((sum, each) => sum + each.total_deliveries, 0)).toBe(counted());
        // The list has the same figures.
        const listed = await listDeliveries(service, user, id, `${query}&limit=100`);
        expect([listed.deliveries.length, listed.total]).toEqual([counted(), counted()]);
      }),
      { numRuns: 25 },
    );
  });

  test('shows the median, the 95th and the 99th percentile of response times, within 5 %', async () => {
    const id = await webhookWith(
      Array.from({ length: 100 }, (_, index) => ({ at: ago(minute), ms: (index + 1) * 30 })),
    );
    const { overall_stats } = await stats(id);
    expect(overall_stats.average_response_time).toBe(1515);
    expect(Math.abs(overall_stats.median_response_time - 1500)).toBeLessThan(75);
    expect(Math.abs(overall_stats.p95_response_time - 2850)).toBeLessThan(143);
    expect(Math.abs(overall_stats.p99_response_time - 2970)).toBeLessThan(149);
  });

  test.each([
    ['period', 'period=year'],
    ['start_date', 'start_date=monday'],
    ['end_date', 'end_date=2026-06-30T23:59:60Z'],
    ['start_date', 'start_date=2026-02-01&end_date=2026-01-01'],
    ['start_date', 'start_date=2999-01-01'],
  ])('with a bad %s is a 400: %s', async (field, query) => {
    const id = await webhookWith([]);
    const answer = await onWebhooks(service, user, ['GET', `/${id}/stats?${query}`]);
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR', field });
  });
});
