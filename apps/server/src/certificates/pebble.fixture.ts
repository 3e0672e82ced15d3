import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll } from 'vitest';
import { selfSigned } from '../foundation/tls/self-signed.fixture.ts';
import { freePort } from '../testing/parts/free-port.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';

export const describeWithPebble = (name: string, tests: () => void) =>
  describeWith(['pebble', 'pebble-challtestsrv'], name, tests);

type RenewalAnswer = (id: string) => { window: { start: Date; end: Date }; retryAfter: number };

/** A test authority with a DNS of its own. */
export type Pebble = {
  directory: string;
  /** The port at which it connects to the service. */
  tlsPort: number;
  /** File with the certificate of its own address, for `NODE_EXTRA_CA_CERTS`. */
  trusted: string;
  /** The root certificate, for clients of the service. */
  root: string;
  orders(): number;
  /** Points all names to this address from now on. */
  leadTo(address: string): Promise<void>;
  leadNameTo(name: string, address: string): Promise<void>;
  /** Its directory, with or without renewal information: Debian's version has none, and later ones have their own. */
  withRenewalInfo(answer: RenewalAnswer | null): Promise<string>;
};

export function usePebble({ seconds = 86_400 } = {}): Pebble {
  const pebble = {} as Pebble;
  const closing: (() => void)[] = [];
  beforeAll(async () => void Object.assign(pebble, await startPebble(seconds, closing)));
  afterAll(() => {
    for (const close of closing.toReversed()) close();
  });
  return pebble;
}

async function startPebble(seconds: number, closing: (() => void)[]): Promise<Pebble> {
  const directory = mkdtempSync(join(tmpdir(), 'bottega-pebble-'));
  closing.push(() => rmSync(directory, { recursive: true }));
  const file = (name: string, content: string) => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };
  const own = selfSigned(['localhost']);
  const [trusted, privateKey] = [file('cert.pem', own.cert), file('key.pem', own.key)];
  const [listen, management, tlsPort, dns, names] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const pebble = {
    listenAddress: `127.0.0.1:${listen}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: trusted,
    privateKey,
    httpPort: 1,
    tlsPort,
    certificateValidityPeriod: seconds,
  };
  const config = file('config.json', JSON.stringify({ pebble }));
  const said = { text: '' };
  const run = (program: string, args: string[]) => {
    const env = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' };
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (said.text += text));
    closing.push(() => void child.kill('SIGKILL'));
    return child;
  };
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', ''];
  run('pebble-challtestsrv', [...off, '-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${names}`]);
  run('pebble', ['-config', config, '-dnsserver', `127.0.0.1:${dns}`]) satisfies ChildProcess;

  const agent = new Agent({ connect: { ca: own.cert } });
  closing.push(() => void agent.destroy());
  const read = async (url: string) => (await request(url, { dispatcher: agent })).body.text();
  const set = async (path: string, json: object) => {
    await request(`http://127.0.0.1:${names}${path}`, { method: 'POST', body: JSON.stringify(json) });
  };
  const url = `https://localhost:${listen}/dir`;
  const offers = await waitFor('the authority answers', () => read(url).catch(() => null));
  await waitFor('its names answer', () =>
    set('/set-default-ipv4', { ip: '127.0.0.1' }).then(
      () => true,
      () => false,
    ),
  );
  return {
    directory: url,
    tlsPort,
    trusted,
    root: await read(`https://localhost:${management}/roots/0`),
    orders: () => said.text.match(/Added order/g)?.length ?? 0,
    leadTo: (ip) => set('/set-default-ipv4', { ip }),
    leadNameTo: (host, ip) => set('/add-a', { host, addresses: [ip] }),
    async withRenewalInfo(answer) {
      const server = createServer(own, (asked, response) => {
        const { renewalInfo: _, ...offer } = JSON.parse(offers);
        const { port } = server.address() as AddressInfo;
        const asks = answer && { renewalInfo: `https://localhost:${port}/renewal` };
        if (asked.url === '/dir' || !answer) return void response.end(JSON.stringify({ ...offer, ...asks }));
        const { window, retryAfter } = answer(asked.url?.replace('/renewal/', '') ?? '');
        response.setHeader('retry-after', retryAfter).end(JSON.stringify({ suggestedWindow: window }));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      closing.push(() => {
        server.close();
        server.closeAllConnections();
      });
      return `https://localhost:${(server.address() as AddressInfo).port}/dir`;
    },
  };
}
