import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shakeHands, tlsClient, type Way } from '../testing/clients/tls-client.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { deployed, projectOf } from '../testing/samples/sample-deployments.ts';
import { type NodeProcess, startNodeProcess } from '../testing/service/node-process.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { describeAuthority } from './index.ts';
import { describeWithPebble, usePebble } from './pebble.fixture.ts';

describeWithPebble('certificates by an authority', () => {
  const pebble = usePebble();
  /** A service without TLS, for calls that these tests do not check. */
  const service = useTestService();
  const nodes = new Set<NodeProcess>();
  const wayTo = (address: string): Way => ({ ca: pebble.root, port: pebble.tlsPort, address });
  const here = () => wayTo('127.0.0.1');
  const there = () => wayTo('127.0.0.2');

  /** Each node uses the same port at its own address, as on several machines. */
  async function startAt(host: string, settings: Record<string, string> = {}): Promise<NodeProcess> {
    const node = await startNodeProcess(service, {
      role: 'api',
      env: { NODE_EXTRA_CA_CERTS: pebble.trusted },
      settings: {
        BOTTEGA_HOST: host,
        PORT: String(pebble.tlsPort),
        BOTTEGA_APPS_PORT: '0',
        BOTTEGA_TLS: 'acme',
        BOTTEGA_ACME_EMAIL: 'ops@example.com',
        BOTTEGA_ACME_DIRECTORY: pebble.directory,
        BOTTEGA_PUBLIC_URL: `https://bottega.test:${pebble.tlsPort}`,
        BOTTEGA_APPS_URL: `https://apps.test:${pebble.tlsPort}`,
        ...settings,
      },
    });
    nodes.add(node);
    return node;
  }

  async function end(node: NodeProcess, signal: NodeJS.Signals): Promise<void> {
    nodes.delete(node);
    const ended = once(node.child, 'exit');
    node.child.kill(signal);
    await ended;
  }

  /** The certificate that a verifying client gets. Null if the handshake is refused. */
  async function shown(way: Way, name: string): Promise<string | null> {
    const seen = await shakeHands(way, name).catch(() => null);
    seen?.socket.destroy();
    return seen?.certificate.serialNumber ?? null;
  }
  const refusal = (way: Way, name: string) =>
    shakeHands(way, name).then(
      () => null,
      ({ code }) => code,
    );
  const untilShown = (way: Way, name: string) => waitFor(`${name} has a certificate`, () => shown(way, name));

  let one: NodeProcess;
  let two: NodeProcess;
  beforeAll(async () => {
    one = await startAt('127.0.0.1');
    two = await startAt('127.0.0.2');
  });
  afterAll(async () => {
    for (const node of nodes) await end(node, 'SIGTERM');
  });

  test('are obtained for the host and the apps’ host by one of two nodes, and used by both', async () => {
    const serials = [await untilShown(here(), 'bottega.test'), await untilShown(here(), 'apps.test')];
    expect(new Set(serials).size).toBe(2);
    expect(await untilShown(there(), 'bottega.test')).toBe(serials[0]);
    expect(await untilShown(there(), 'apps.test')).toBe(serials[1]);
    expect(pebble.orders()).toBe(2);
    const client = tlsClient(here());
    expect((await client.get('bottega.test', '/healthz')).text).toBe('{"status":"ok"}');
    await client.close();
  });

  test('are obtained for the host of an app at its first visit, and the visitor waits for it', async () => {
    const place = await projectOf(service, { 'index.html': 'hello' });
    const { id } = await deployed(place);
    const host = `${id.replace('_', '-')}.apps.test`;
    const before = pebble.orders();
    const client = tlsClient(here());
    const visits = await Promise.all([client.get(host, '/'), waitFor('others too', () => shown(there(), host))]);
    expect(visits[0].text).toBe('hello');
    expect(pebble.orders()).toBe(before + 1);
    await client.close();
  });

  test('are refused, with an alert and without an order, for every other name and without a name', async () => {
    const before = pebble.orders();
    const names = ['evil.example', 'nobody.apps.test', 'a.b.apps.test', 'dep-01hzzzzzzzzzzzzzzzzzzzzzzz.apps.test', ''];
    for (const name of names) expect(await refusal(here(), name), name).toBe('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE');
    expect(pebble.orders()).toBe(before);
    const { rows } = await service.pool.query(
      "select name from certificates where name not like 'dep-%' order by name",
    );
    expect(rows).toEqual([{ name: 'apps.test' }, { name: 'bottega.test' }]);
  });

  test('are stored with their keys sealed, and so is the key of the account', async () => {
    const { rows } = await service.pool.query(
      'select key_encrypted as sealed from certificates union all select key_encrypted from certificate_accounts',
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.toContain('PRIVATE KEY');
  });

  test('are renewed while connections stay open and requests continue', async () => {
    const client = tlsClient(here());
    await client.get('bottega.test', '/healthz');
    const before = await shown(here(), 'bottega.test');
    await service.pool.query("update certificates set renew_at = now() where name = 'bottega.test'");
    const asking = { goesOn: true };
    const answers = (async () => {
      const statuses = new Set<number>();
      while (asking.goesOn) statuses.add((await client.get('bottega.test', '/healthz')).status);
      return [...statuses];
    })();
    for (const way of [here(), there()]) {
      await waitFor('the next one is in use', async () => ![null, before].includes(await shown(way, 'bottega.test')));
    }
    asking.goesOn = false;
    expect(await answers).toEqual([200]);
    await client.close();
  });

  test('are used again after a restart, without a new order', async () => {
    await end(two, 'SIGTERM');
    const [before, orders] = [await shown(here(), 'bottega.test'), pebble.orders()];
    two = await startAt('127.0.0.2');
    expect(await untilShown(there(), 'bottega.test')).toBe(before);
    expect(pebble.orders()).toBe(orders);
  });

  test('are renewed by another node after the responsible node was killed', async () => {
    // The first node takes the lease in any case, because the other one releases it when it stops.
    await end(two, 'SIGTERM');
    await waitFor('the first has the lease', async () => {
      const { rows } = await service.pool.query(
        'select from certificate_accounts where issuer_until > clock_timestamp() and issuer_id is not null',
      );
      return rows.length > 0;
    });
    two = await startAt('127.0.0.2');
    const before = await untilShown(there(), 'bottega.test');
    await end(one, 'SIGKILL');
    await pebble.leadTo('127.0.0.2');
    await service.pool.query("update certificates set renew_at = now() where name = 'bottega.test'");
    await waitFor('the next one is in use', async () => ![null, before].includes(await shown(there(), 'bottega.test')));
  });

  test('are attempted again only later after a failure, and the reason is reported', async () => {
    await end(two, 'SIGTERM');
    const orders = pebble.orders();
    await pebble.leadNameTo('nowhere.test', '127.0.0.9');
    const node = await startAt('127.0.0.1', { BOTTEGA_PUBLIC_URL: `https://nowhere.test:${pebble.tlsPort}` });
    const { rows } = await waitFor('it has failed', async () => {
      const found = await service.pool.query(
        "select problem, next_try_at > now() + interval '4 minutes' as waits from certificates where name = 'nowhere.test' and problem is not null",
      );
      return found.rows.length > 0 && found;
    });
    expect(rows).toEqual([{ problem: expect.stringContaining('127.0.0.9'), waits: true }]);
    expect(await describeAuthority(service.db, pebble.directory, ['apps.test', 'nowhere.test'])).toMatchObject({
      problem: expect.stringMatching(/^There is no certificate for nowhere\.test: .+; next attempt after /),
      names: [
        { name: 'apps.test', until: expect.any(String) },
        { name: 'nowhere.test', until: null },
      ],
      failing: 1,
    });
    // Stored certificates are still served.
    expect(await shown(here(), 'apps.test')).not.toBeNull();
    expect(await refusal(here(), 'nowhere.test')).toMatch(/ALERT/);
    expect(pebble.orders()).toBe(orders + 1);
    await end(node, 'SIGTERM');
  });
});
