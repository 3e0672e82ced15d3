import { describe, expect, test } from 'vitest';
import { call } from '../../../testing/clients/http-client.ts';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { deploy, projectOf } from '../../../testing/samples/sample-deployments.ts';
import { startTestService, useTestService } from '../../../testing/service/test-service.ts';
import { BudgetExceeded } from '../../concurrency/budget.ts';

type Line = Record<string, unknown>;
const written: string[] = [];
const service = useTestService({ logTo: { write: (line) => void written.push(line) } });
const metrics = async (url = service.url) => (await call('GET', `${url}/metrics`)).text;
const alerts = (message = 'the event loop was blocked') =>
  written
    .flatMap((chunk) => chunk.trim().split('\n'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => typeof msg === 'string' && msg.startsWith(message));

/** Of processor time: on a busy machine, the same time on the clock would be a wait. */
function block(ms: number): void {
  const begun = process.cpuUsage();
  for (let used = 0; used < ms; ) {
    const { user, system } = process.cpuUsage(begun);
    used = (user + system) / 1000;
  }
}

describe('the metrics', () => {
  test('have the delay of the event loop and the memory of the process', async () => {
    const text = await metrics();
    for (const name of ['nodejs_eventloop_lag_p50_seconds', 'nodejs_eventloop_lag_p99_seconds']) {
      expect(text).toContain(`\n${name} `);
    }
    expect(text).toContain('\nnodejs_eventloop_lag_max_seconds ');
    expect(text).toContain('\nprocess_resident_memory_bytes ');
    expect(text).toContain('\nbottega_event_loop_blocked_seconds_count ');
  });

  test('count every request that is refused for its cost, by the budget that it exceeded', async () => {
    void new BudgetExceeded({ name: 'one kind', message: 'Too much' });
    void new BudgetExceeded({ name: 'one kind', message: 'Too much' });
    expect(await metrics()).toContain('bottega_budget_refusals_total{budget="one kind"} 2');
  });

  test('count the builds that did not end by themselves, by what stopped them', async () => {
    const other = await startTestService({ settings: { BOTTEGA_BUILD_DRIVER: 'process', BOTTEGA_BUILD_TIMEOUT: '1' } });
    const place = await projectOf(other.running, { '/a.txt': 'a' });
    await deploy(place, { build_command: 'sleep 60' });
    await waitFor('it is counted', async () =>
      (await metrics(other.running.url)).includes('bottega_sandboxes_stopped_total{reason="time"} 1'),
    );
    await other.close();
  });
});

describe('an event loop that was blocked', () => {
  test('is reported in the log with the requests that were under way, and counted', async () => {
    const { key } = await service.createUser();
    const { app } = service.service;
    app.server.once('request', () => setImmediate(() => block(400)));
    expect((await call('GET', `${service.url}/v1/user`, { token: key })).status).toBe(200);
    const alert = await waitFor('the alert', () => alerts().find(({ requests }) => (requests as Line[]).length > 0));
    expect(alert).toMatchObject({ level: 'warn', blocked_ms: expect.any(Number), cpu_ms: expect.any(Number) });
    expect(alert.requests).toContainEqual({
      request_id: expect.stringMatching(/^req_/),
      method: 'GET',
      route: '/v1/user',
      ms: expect.any(Number),
    });
    expect(await metrics()).toMatch(/\nbottega_event_loop_blocked_seconds_count [1-9]/);
  });

  test('is reported at most once a minute for each route, and counted each time', async () => {
    const count = async () => Number(/\nbottega_event_loop_blocked_seconds_count (\d+)/.exec(await metrics())?.[1]);
    const [told, before] = [alerts().length, await count()];
    block(400);
    await waitFor('the first is counted', async () => (await count()) > before);
    block(400);
    await waitFor('the second is counted', async () => (await count()) > before + 1);
    const routes = alerts()
      .slice(told)
      .map(({ requests }) => (requests as Line[])[0]?.route);
    expect(routes).toEqual([...new Set(routes)]);
  });

  test('is told apart from one that had to wait for the machine', async () => {
    const asleep = new Int32Array(new SharedArrayBuffer(4));
    const starved = async () =>
      Number(/\nbottega_event_loop_starved_seconds_total ([\d.]+)/.exec(await metrics())?.[1]);
    const before = await starved();
    Atomics.wait(asleep, 0, 0, 600);
    await waitFor('it is counted', async () => (await starved()) - before > 0.25);
    expect(alerts('the process waited for the machine').length).toBeGreaterThan(0);
  });
});
