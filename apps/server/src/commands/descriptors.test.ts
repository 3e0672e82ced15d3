import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';

const max = 320;

describeWith(['prlimit'], 'a service of several processes with few descriptors', () => {
  const cli = useCli({ within: ['prlimit', `--nofile=${max}:${max}`] });

  test('answers all new requests after a flood of connections is over, and reports that it refused some', async () => {
    const running = await cli.start({ BOTTEGA_DATA_DIR: await cli.newDataDir(), BOTTEGA_PROCESSES: '2' });
    const port = Number(new URL(running.url).port);
    const sockets = await Promise.all(Array.from({ length: 3 * max }, () => opened(port)));
    for (const socket of sockets) socket.destroy();
    const ask = () => call('GET', `${running.url}/readyz`, { headers: { connection: 'close' } });
    // Each process notices by itself that the connections are gone.
    const isAnswered = () =>
      ask().then(
        ({ status }) => status === 200,
        () => false,
      );
    await waitFor('it answers 20 requests in a row', async () => {
      for (let times = 0; times < 20; times++) if (!(await isAnswered())) return false;
      return true;
    });
    const { body } = await ask();
    const problem = expect.stringContaining('Connections were refused');
    expect(body.details).toMatchObject({ connections: { limit: Math.floor((max * 3) / 8), problem } });
    expect((await call('GET', `${running.url}/metrics`)).text).toMatch(/^bottega_connections_refused_total [1-9]/m);
    running.signal('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0 });
  });
});

/** The service closes refused connections at once, which is not a failure here. */
async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}
