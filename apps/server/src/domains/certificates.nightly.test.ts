import type { Domain } from '@bottega/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithPebble, usePebble } from '../certificates/pebble.fixture.ts';
import { shakeHands, tlsClient, type Way } from '../testing/clients/tls-client.ts';
import { useNameServer } from '../testing/parts/name-server.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { buildSettings, deployed, projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject, type Place } from '../testing/samples/sample-files.ts';
import { type NodeProcess, startNodeProcess } from '../testing/service/node-process.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { addDomain, leadHere, proveByText } from './domains.fixture.ts';

describeWithPebble('certificates of custom domains', () => {
  const pebble = usePebble();
  const names = useNameServer();
  /** A service without TLS and jobs, for calls that these tests do not check. */
  const service = useTestService({ role: 'api' });
  let node: NodeProcess;
  let place: Place;
  const here = (): Way => ({ ca: pebble.root, port: pebble.tlsPort });

  beforeAll(async () => {
    names.set('apps.test', 'A', '127.0.0.1');
    node = await startNodeProcess(service, {
      role: 'all',
      env: { NODE_EXTRA_CA_CERTS: pebble.trusted },
      settings: {
        ...buildSettings,
        PORT: String(pebble.tlsPort),
        BOTTEGA_APPS_PORT: '0',
        BOTTEGA_TLS: 'acme',
        BOTTEGA_ACME_EMAIL: 'ops@example.com',
        BOTTEGA_ACME_DIRECTORY: pebble.directory,
        BOTTEGA_PUBLIC_URL: `https://bottega.test:${pebble.tlsPort}`,
        BOTTEGA_APPS_URL: `https://apps.test:${pebble.tlsPort}`,
        BOTTEGA_NAME_SERVERS: names.address,
      },
    });
    place = await projectOf(service, { '/index.html': 'hello' });
    await deployed(place);
  });
  afterAll(() => void node.child.kill('SIGTERM'));

  /** Runs the scheduled check until the domain meets the condition. */
  const untilDomain = (name: string, isSo: (domain: Domain) => boolean) =>
    waitFor(`${name} is so`, async () => {
      await service.pool.query('update domains set next_check_at = now() where domain = $1', [name]);
      await service.pool.query("select graphile_worker.add_job('domains:check', job_key => 'now')");
      const { body } = await inProject<Domain>(place, 'GET', `/domains/${name}`);
      return isSo(body) && body;
    });
  const ordersFor = async (name: string) =>
    (await service.pool.query('select from certificates where name = $1', [name])).rowCount;

  test('are ordered only once the domain leads here; then the domain is active and served', async () => {
    const domain = await addDomain(place, 'www.shop.test');
    proveByText(names, domain);
    names.set(domain.domain, 'A', '127.0.0.9');
    await untilDomain(domain.domain, ({ reason }) => reason?.type === 'not_leading_here');
    await expect(shakeHands(here(), domain.domain)).rejects.toThrow(/handshake failure/i);
    expect(await ordersFor(domain.domain)).toBe(0);
    leadHere(names, domain);
    await untilDomain(domain.domain, ({ state }) => state === 'active');
    const client = tlsClient(here());
    const page = await client.get(domain.domain, '/');
    expect(page).toMatchObject({ status: 200, text: 'hello' });
    expect(page.headers['strict-transport-security']).toBeUndefined();
    expect((await client.get('bottega.test', '/healthz')).text).toBe('{"status":"ok"}');
    await client.close();
  });

  test('are explained in the reason if the authority refuses them, and the domain is not active', async () => {
    const domain = await addDomain(place, 'www.unreached.test');
    await pebble.leadNameTo(domain.domain, '127.0.0.9');
    proveByText(names, domain);
    leadHere(names, domain);
    const failed = await untilDomain(domain.domain, ({ reason }) => reason?.type === 'certificate_failed');
    expect(failed).toMatchObject({ state: 'verified', reason: { message: expect.stringContaining('127.0.0.9') } });
  });
});
