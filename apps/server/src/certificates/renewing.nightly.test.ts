import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { waitFor } from '../testing/parts/wait-for.ts';
import { type NodeProcess, startNodeProcess } from '../testing/service/node-process.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { describeWithPebble, type Pebble, usePebble } from './pebble.fixture.ts';

describeWithPebble('a certificate that an authority has issued', () => {
  const brief = usePebble({ seconds: 12 });
  const lasting = usePebble();
  const service = useTestService({ role: 'api' });
  let node: NodeProcess | null = null;
  afterAll(() => node?.child.kill('SIGKILL'));

  async function startWith(pebble: Pebble, directory: string): Promise<void> {
    node = await startNodeProcess(service, {
      env: { NODE_EXTRA_CA_CERTS: pebble.trusted },
      settings: {
        PORT: String(pebble.tlsPort),
        BOTTEGA_APPS_PORT: '0',
        BOTTEGA_TLS: 'acme',
        BOTTEGA_ACME_EMAIL: 'ops@example.com',
        BOTTEGA_ACME_DIRECTORY: directory,
        BOTTEGA_PUBLIC_URL: `https://bottega.test:${pebble.tlsPort}`,
      },
    });
  }

  type Row = { chain: string; not_after: Date; renew_at: Date; look_at: Date | null };
  const stored = (directory: string, not?: string): Promise<Row> =>
    waitFor('a certificate is stored', async () => {
      const { rows } = await service.pool.query<Row>(
        'select chain, not_after, renew_at, look_at from certificates where directory = $1 and chain is not null',
        [directory],
      );
      return rows[0]?.chain !== not && rows[0];
    });

  test('is renewed with a third of its lifetime left if the authority suggests no time', async () => {
    const directory = await brief.withRenewalInfo(null);
    await startWith(brief, directory);
    const first = await stored(directory);
    const { validFromDate: from, validToDate: to } = new X509Certificate(first.chain);
    expect(first.renew_at.getTime()).toBeCloseTo(to.getTime() - (to.getTime() - from.getTime()) / 3, -1);
    expect(first.look_at).toBeNull();
    const second = await stored(directory, first.chain);
    const { validFromDate: renewedAt } = new X509Certificate(second.chain);
    // Certificates store whole seconds only.
    expect(renewedAt.getTime()).toBeGreaterThan(first.renew_at.getTime() - 1_000);
    const ended = once(node?.child as NodeProcess['child'], 'exit');
    node?.child.kill('SIGTERM');
    await ended;
  });

  test('is renewed when the authority suggests it, and another authority has another account', async () => {
    const hour = 3_600_000;
    const asked: string[] = [];
    const later = { start: new Date(Date.now() + hour), end: new Date(Date.now() + 2 * hour) };
    const directory = await lasting.withRenewalInfo((id) => {
      asked.push(id);
      const isFirst = id === asked[0];
      const now = { start: new Date(Date.now() - 2 * hour), end: new Date(Date.now() - hour) };
      return { window: isFirst ? now : later, retryAfter: 7_200 };
    });
    await startWith(lasting, directory);
    const first = await stored(directory);
    const second = await stored(directory, first.chain);
    const plan = await waitFor('the second is asked about', async () => {
      const row = await stored(directory);
      return row.renew_at >= later.start && row.renew_at <= later.end && row;
    });
    expect(new Set(asked).size).toBe(2);
    expect(plan.chain).toBe(second.chain);
    expect(plan.look_at?.getTime()).toBeGreaterThan(Date.now() + hour);
    const { rows } = await service.pool.query('select directory from certificate_accounts');
    expect(rows).toHaveLength(2);
  });
});
