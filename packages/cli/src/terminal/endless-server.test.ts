import type { ServerResponse } from 'node:http';
import { Bottega } from '@bottega/sdk';
import { beforeEach, expect, test } from 'vitest';
import { useBtg } from '../testing/btg.fixture.ts';
import { useHostileServer } from '../testing/hostile-server.fixture.ts';

const btg = useBtg();
const mebibyte = Buffer.alloc(2 ** 20, ' ');
/** More than a program should read of an answer that is not a file. */
const max = 200;
let [sent, status, type] = [0, 200, 'application/json'];

function pour(response: ServerResponse): void {
  while (!response.destroyed && sent < max) {
    sent += 1;
    if (!response.write(mebibyte)) return void response.once('drain', () => pour(response));
  }
  response.end();
}

const endless = useHostileServer((_request, response) => {
  response.writeHead(status, { 'content-type': type });
  pour(response);
});
let pages = 0;
const paging = useHostileServer(({ url }, response) => {
  pages += 1;
  const data = Array.from({ length: 100 }, (_, at) => ({ id: `prj_${at}`, name: 'x'.repeat(100_000), stats: {} }));
  response.writeHead(200, { 'content-type': 'application/json', link: `<${url}&page=${pages}>; rel="next"` });
  response.end(JSON.stringify(pages > 100 ? { data: [], projects: [] } : { data, projects: data }));
});

beforeEach(() => {
  [sent, status, type, pages] = [0, 200, 'application/json', 0];
});

test.each([
  ['an answer', ['whoami'], 200],
  ['an error', ['whoami'], 403],
  ['a list', ['projects', 'ls'], 200],
  ['a stream of events', ['listen', '--forward', '9'], 200],
])('%s that never ends is given up before it fills the memory', async (_what, args, answered) => {
  status = answered;
  if (args[0] === 'listen') type = 'text/event-stream';
  const env = { BOTTEGA_URL: endless.url, BOTTEGA_TOKEN: 'x' };
  expect((await btg(args, { env })).code).not.toBe(0);
  expect(sent).toBeLessThan(max);
});

test('a sign-in with an endless answer is given up', async () => {
  expect(await btg(['login', endless.url, '--no-browser'])).toMatchObject({ code: 6 });
  expect(sent).toBeLessThan(max);
});

test('a list with endless pages is given up', async () => {
  const env = { BOTTEGA_URL: paging.url, BOTTEGA_TOKEN: 'x' };
  const { code, stderr } = await btg(['projects', 'ls'], { env });
  expect([code, stderr]).toEqual([1, expect.stringContaining('endless list')]);
  expect(pages).toBeLessThan(100);
});

test('the address of a socket is that of the service, whatever its ticket says', async () => {
  const opened: string[] = [];
  class Socket {
    readyState = 0;
    constructor(url: string) {
      opened.push(url);
    }
    send() {}
    close() {}
    addEventListener() {}
  }
  const fetch = async () => Response.json({ ws_url: 'wss://elsewhere/evil5?ticket=x' }, { status: 201 });
  void new Bottega({ baseUrl: 'http://10.0.0.1', token: 'x', fetch }).sessions.join('ses_1', { WebSocket: Socket });
  await expect.poll(() => opened).toEqual(['ws://10.0.0.1/v1/?ticket=x']);
});
