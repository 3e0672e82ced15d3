import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port that was free a moment ago, for programs that need to know it before they open it. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A port that is free together with the next one, on which the service serves deployments. */
export async function freePortPair(): Promise<number> {
  for (;;) {
    const port = await freePort();
    const isFree = await freePortAt(port + 1);
    if (isFree) return port;
  }
}

const freePortAt = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .on('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
