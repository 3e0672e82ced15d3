import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CoreEvent, webhooks } from '@bottega/sdk';
import { afterAll, beforeAll } from 'vitest';

/** A receiver of webhooks, which checks every signature and answers as told; 204 by default. */
export function useReceiver(secret: string) {
  const receiver = {
    url: '',
    /** Ids of events, in the order of acceptance. */
    accepted: [] as string[],
    /** Deliveries that did not verify. */
    refused: [] as unknown[],
    bodies: [] as CoreEvent[],
    statuses: [] as number[],
    whenReceived: undefined as (() => void) | undefined,
  };
  const http = createServer(async (request, response) => {
    const body = await text(request);
    await webhooks.verify<CoreEvent>(body, request.headers, secret, { requireTimestamp: true }).then(
      (event) => {
        receiver.bodies.push(event);
        receiver.whenReceived?.();
        const status = receiver.statuses.shift() ?? 204;
        if (status < 300) receiver.accepted.push(String(request.headers['webhook-id']));
        response.writeHead(status).end();
      },
      (error) => {
        receiver.refused.push(error);
        response.writeHead(401).end();
      },
    );
  });
  beforeAll(async () => {
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    receiver.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => {
    http.closeAllConnections();
    http.close();
  });
  return receiver;
}
