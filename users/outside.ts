import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { startMailServer } from '../apps/server/src/testing/parts/mail-server.ts';
import { startNameServer } from '../apps/server/src/testing/parts/name-server.ts';
import type { Settings } from './shapes/shape.ts';

export type Mail = { to: string; subject: string; text: string };
export type DnsRecord = { name: string; type: 'A' | 'AAAA' | 'CNAME' | 'TXT'; value: string };

/**
 * The external servers of the service: a mail server and a name server. Stories run in other processes, so they read
 * mails and set records by HTTP.
 */
export async function openOutside(): Promise<{ settings: Settings; url: string; close(): Promise<void> }> {
  const mails = await startMailServer();
  const { names, close: closeNames } = await startNameServer();
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      const { name, type, value } = (await json(request)) as DnsRecord;
      names.set(name, type, value);
      return response.writeHead(204).end();
    }
    const to = new URL(request.url ?? '/', 'http://outside').searchParams.get('to') ?? '';
    const found = mails.received
      .filter((one) => one.to === to)
      .map(({ mail }): Mail => ({ to, subject: mail.subject ?? '', text: mail.text ?? '' }));
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    settings: { BOTTEGA_SMTP_URL: mails.url, BOTTEGA_NAME_SERVERS: names.address },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      closeNames();
      await mails.close();
    },
  };
}
