import { request } from 'node:http';
import { waitFor } from '../apps/server/src/testing/parts/wait-for.ts';

export type Page = { status: number; text: string };

/**
 * Uses a new connection. Names below localhost resolve to this machine in browsers, but not everywhere else: so the
 * connection goes to the loopback address.
 */
export function visit(url: string, headers: Record<string, string> = {}): Promise<Page> {
  const { port, host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      path: pathname + search,
      headers: { host, ...headers },
      agent: false,
    });
    asked.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on('error', reject).end();
  });
}

/** Waits until the page contains the text. */
export const untilShows = (url: string, text: string): Promise<Page> =>
  waitFor(`${url} shows ${text}`, async () => {
    const page = await visit(url);
    return page.text.includes(text) && page;
  });
