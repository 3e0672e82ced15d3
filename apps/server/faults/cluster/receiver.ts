import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** One webhook request that was answered with a 200, so that the service may call the delivery done. */
export type Arrival = {
  path: string;
  eventId: string;
  body: { event: string; delivery_attempt: number; data: Record<string, unknown> };
};

export type Receiver = {
  url(path: string): string;
  arrivals: Arrival[];
  /** The behaviour after this call: 200, 500, or nobody listens. */
  behave(how: 'well' | 'failing' | 'away'): Promise<void>;
  close(): Promise<void>;
};

/** Another party's server, which remembers everything it has accepted. */
export async function startReceiver(): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  let isFailing = false;
  const server = createServer(async (request, response) => {
    const body = (await json(request).catch(() => null)) as Arrival['body'] | null;
    if (isFailing || body === null) return void response.writeHead(500).end();
    arrivals.push({ path: request.url ?? '', eventId: String(request.headers['webhook-id']), body });
    response.writeHead(200).end('ok');
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    arrivals,
    async behave(how) {
      isFailing = how === 'failing';
      if (how === 'away') await close();
      else if (!server.listening) await listen(port);
    },
    close,
  };
}
