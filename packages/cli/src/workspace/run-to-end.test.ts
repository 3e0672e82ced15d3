import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../../apps/server/src/testing/parts/wait-for.ts';
import { useBtg } from '../testing/btg.fixture.ts';
import { useHostileServer } from '../testing/hostile-server.fixture.ts';

const btg = useBtg();
/** How the service takes input. */
let takeInput: (request: IncomingMessage, response: ServerResponse) => void;
let interrupted: PromiseWithResolvers<string>;
/** What the stream of the output says about the end of the command, as soon as it has ended. */
let end: Promise<string>;

const server = useHostileServer((request, response) => {
  const { url = '' } = request;
  if (url.endsWith('/stdin')) return takeInput(request, response);
  if (url.includes('/output')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    return void end.then((state) => response.end(`event: end\ndata: ${state}\n\n`));
  }
  if (url.endsWith('/signal')) interrupted.resolve('{"id":"cmd_1","exit_code":null,"signal":"SIGINT"}');
  response.writeHead(200, { 'content-type': 'application/json' });
  return response.end(JSON.stringify({ id: url.endsWith('/commands') ? 'cmd_1' : 'wks_1' }));
});

const run = () =>
  btg(['ws', 'exec', 'wks_1', '-p', 'prj_1', '--stdin', '--', 'cat'], {
    env: { BOTTEGA_URL: server.url, BOTTEGA_TOKEN: 'x' },
    stdin: 'some input',
  });

beforeEach(() => {
  interrupted = Promise.withResolvers();
  end = interrupted.promise;
});

test('a command is interrupted if its input cannot be sent, and the reason is shown', async () => {
  takeInput = (_request, response) => {
    const error = { code: 'CONFLICT', message: 'No input any more', request_id: 'req_1' };
    response.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  };
  expect(await run()).toMatchObject({ code: 7, stderr: expect.stringContaining('No input any more') });
});

test('input that a command has not read when it ends is given up', async () => {
  let isGivenUp = false;
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  takeInput = (_request, response) => {
    response.once('close', () => {
      isGivenUp = true;
    });
    arrive();
  };
  end = arrived.then(() => '{"id":"cmd_1","exit_code":0,"signal":null}');
  expect((await run()).code).toBe(0);
  await waitFor('the request has ended', () => isGivenUp);
});
