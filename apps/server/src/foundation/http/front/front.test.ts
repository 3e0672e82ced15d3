import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectPlainly, createServer as createTcpServer, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createSecureContext } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { shakeHands, tlsClient, type Way } from '../../../testing/clients/tls-client.ts';
import { freePort } from '../../../testing/parts/free-port.ts';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { selfSigned } from '../../tls/self-signed.fixture.ts';
import { createFront, type Front } from './front.ts';
import { boundHandshakes } from './handshakes.ts';

const pair = selfSigned(['one.test', 'two.test']);
const proof = selfSigned(['one.test']);
const challenged: string[] = [];
const none = createSecureContext({});
const web = createServer({ headersTimeout: 200, connectionsCheckingInterval: 50 }, (_request, response) =>
  response.end('the first'),
);
const other = createServer((_request, response) => response.end('the second'));
let front: Front;
let way: Way;

beforeAll(async () => {
  front = createFront(
    {
      forClients: {
        SNICallback: (name, done) => done(null, /\.test\.?$/i.test(name) ? createSecureContext(pair) : none),
      },
      forChallenges: {
        SNICallback(name, done) {
          challenged.push(name);
          done(null, name === 'one.test' ? createSecureContext(proof) : none);
        },
      },
    },
    boundHandshakes({ ms: 2_000, max: 5 }),
  );
  front.claim(other, (name) => name === 'two.test');
  way = { ca: pair.cert, port: await front.open(web, { port: await freePort(), host: '127.0.0.1', reusePort: false }) };
});
afterAll(() => front.close());

const refusal = (name: string, options = {}) =>
  shakeHands(way, name, options).then(
    () => null,
    ({ code }) => code,
  );

describe('a connection', () => {
  test('goes to the server that has claimed its name, or else to the server of its port', async () => {
    const client = tlsClient(way);
    expect((await client.get('one.test', '/')).text).toBe('the first');
    expect((await client.get('two.test', '/')).text).toBe('the second');
    await client.close();
  });

  test.each(['TWO.Test', 'two.test.'])(
    'with the name %s goes to the same server as one with two.test',
    async (name) => {
      const { socket } = await shakeHands(way, name, { checkServerIdentity: () => undefined });
      socket.write('GET / HTTP/1.1\r\nhost: two.test\r\nconnection: close\r\n\r\n');
      expect(await text(socket)).toContain('the second');
    },
  );

  test('sends the parts of an answer without delay, as a server that listens itself does', async () => {
    const undelayed = vi.spyOn(Socket.prototype, 'setNoDelay');
    const { socket } = await shakeHands(way, 'one.test');
    expect(undelayed).toHaveBeenCalledOnce();
    undelayed.mockRestore();
    socket.destroy();
  });

  test('is refused with an alert if its name has no certificate, or if it has no name', async () => {
    expect(await refusal('evil.example')).toBe('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE');
    expect(await refusal('')).toBe('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE');
  });

  test('is refused below TLS 1.2, and if it speaks no version of HTTP that we do', async () => {
    expect(
      await refusal('one.test', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
    ).toMatch(/ALERT/);
    expect(await refusal('one.test', { ALPNProtocols: ['h2'] })).toMatch(/NO_APPLICATION_PROTOCOL/);
  });

  test('that asks for a second handshake within TLS 1.2 gets none', async () => {
    const { socket } = await shakeHands(way, 'one.test', { maxVersion: 'TLSv1.2' });
    const answer = new Promise<Error | null>((resolve) => {
      socket.on('error', resolve);
      socket.renegotiate({}, resolve);
    });
    expect(String(await answer)).toMatch(/renegotiation/i);
    socket.destroy();
  });

  test('cannot resume a former session, which would not contain its name', async () => {
    const { socket } = await shakeHands(way, 'two.test', { maxVersion: 'TLSv1.2' });
    const session = socket.getSession();
    socket.destroy();
    const { socket: again } = await shakeHands(way, 'two.test', { maxVersion: 'TLSv1.2', session });
    expect(again.isSessionReused()).toBe(false);
    again.destroy();
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'that asks for an ACME proof gets it and nothing else, by %s',
    async (version) => {
      const options = { ALPNProtocols: ['acme-tls/1'], maxVersion: version, ca: proof.cert };
      const { socket, certificate } = await shakeHands(way, 'one.test', options);
      expect(certificate.toString()).toBe(proof.cert);
      expect(socket.alpnProtocol).toBe('acme-tls/1');
      socket.resume();
      await once(socket, 'close');
      expect(await refusal('two.test', options)).toMatch(/ALERT/);
      expect(challenged).toContain('two.test');
    },
  );

  test('is served even if its hello comes in pieces', async () => {
    const line = slowLine(way.port).listen(0, '127.0.0.1');
    await once(line, 'listening');
    const { port } = line.address() as AddressInfo;
    const { socket } = await shakeHands({ ...way, port }, 'one.test');
    expect(socket.authorized).toBe(true);
    socket.destroy();
    line.close();
  });
});

describe('a client that does not go on', () => {
  const half = async () => {
    const socket = connectPlainly(way.port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };

  test('with the handshake is cut off after a time limit, whatever it sent before', async () => {
    const silent = await half();
    const dripping = await half();
    dripping.write(Buffer.from([22, 3, 1, 2, 0, 1]));
    await Promise.all([silent, dripping].map((socket) => once(socket, 'close')));
  });

  test('is cut off in favour of newer ones if there are too many, the oldest first', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < 5; count++) sockets.push(await half());
    const closed = sockets.map(() => false);
    for (const [index, one] of sockets.entries()) one.on('close', () => closed.splice(index, 1, true));
    const { socket } = await shakeHands(way, 'one.test');
    await waitFor('one is closed', () => closed.includes(true));
    expect(closed).toEqual([true, false, false, false, false]);
    expect(socket.authorized).toBe(true);
    socket.destroy();
    for (const one of sockets) one.destroy();
  });

  test('with the head of a request is answered with 408', async () => {
    const { socket } = await shakeHands(way, 'one.test');
    socket.write('GET / HTTP/1.1\r\nhost:');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
    socket.destroy();
  });
});

test('the front closes once its requests are answered, without waiting for connections that only stay open', async () => {
  const { promise: asked, resolve: hear } = Promise.withResolvers<() => void>();
  const slow = createServer((_request, response) => hear(() => response.end('at last')));
  const leaving = createFront({ forClients: pair, forChallenges: null });
  const there = { ca: pair.cert, port: await leaving.open(slow, { port: 0, host: '127.0.0.1', reusePort: false }) };
  const idle = connectPlainly(there.port, '127.0.0.1').on('error', () => undefined);
  const { socket: silent } = await shakeHands(there, 'one.test');
  const client = tlsClient(there);
  const answer = client.get('one.test', '/');
  const finish = await asked;
  const closed = leaving.close();
  finish();
  expect((await answer).text).toBe('at last');
  await closed;
  idle.destroy();
  silent.destroy();
  await client.close();
});

/** Forwards the first byte, then the next three, and then everything else. */
const slowLine = (port: number) =>
  createTcpServer((client) => {
    const server = connectPlainly({ port, host: '127.0.0.1', noDelay: true });
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy()).pipe(client);
    client.once('data', (hello: Buffer) => {
      client.pause();
      server.write(hello.subarray(0, 1), () =>
        server.write(hello.subarray(1, 4), () => {
          server.write(hello.subarray(4));
          client.pipe(server);
        }),
      );
    });
  });
