import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Systems take the local ports of outgoing connections from 32768 on, or higher. So no outgoing connection can take a
 * port below that before the program opens it.
 */
const range = { from: 10_000, to: 32_000 };

/** A port that was free a moment ago, for programs that need to know it before they open it. */
export const freePort = (host = '127.0.0.1'): Promise<number> => freePorts(1, host);

/** A port that is free together with the next one, on which the service serves deployments. */
export const freePortPair = (): Promise<number> => freePorts(2, '127.0.0.1');

/** The first of several free ports in a row. */
async function freePorts(count: number, host: string): Promise<number> {
  for (;;) {
    const port = randomInt(range.from, range.to);
    const inRow = Array.from({ length: count }, (_, n) => isFree(port + n, host));
    if ((await Promise.all(inRow)).every(Boolean)) return port;
  }
}

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .on('error', () => resolve(false))
      .listen(port, host, () => server.close(() => resolve(true)));
  });
