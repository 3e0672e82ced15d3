import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openConnections } from '../../apps/server/src/foundation/outgoing/connections.ts';
import { signatureHeaders, signingKey } from '../../apps/server/src/webhooks/subscriptions/signing.ts';

// The least work for a sender of webhooks: signs a body from memory and posts it, with a fixed concurrency, and stores
// nothing.
const agent = openConnections({ mayConnect: () => true });
const keys = { current: signingKey('whsec_c2VjcmV0'), previous: null };
const eventId = 'evt_01jd2m6vz8e3r9x5k7q4w1t0ab';

async function sendAll(url: string, body: string, times: number, atOnce: number): Promise<number> {
  const { origin, pathname: path } = new URL(url);
  const begun = performance.now();
  let left = times;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const signatures = signatureHeaders(keys, { eventId, body, timestamp: new Date() });
        const headers = { 'content-type': 'application/json', ...signatures };
        const answer = await agent.request({ origin, path, method: 'POST', headers, body });
        await answer.body.dump();
      }
    }),
  );
  return times / ((performance.now() - begun) / 1000);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const { url, body, times, atOnce } = JSON.parse(Buffer.concat(chunks).toString());
    response.end(JSON.stringify({ perSecond: await sendAll(url, body, times, atOnce) }));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
