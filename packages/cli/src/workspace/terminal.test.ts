import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { runCommand } from '../run.ts';
import { useBtg } from '../testing/btg.fixture.ts';
import { useHostileServer } from '../testing/hostile-server.fixture.ts';

const btg = useBtg();
let status = 404;
/** Has the workspace, but refuses its terminal. */
const server = useHostileServer(({ url = '' }, response) => {
  response.writeHead(url.includes('/terminals/') ? status : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: 'wks_1' }));
});

test.each([
  [401, 3],
  [403, 4],
  [404, 5],
  [503, 6],
])('a terminal that the service refuses with %i ends the command with %i', async (refused, code) => {
  status = refused;
  const ended = runCommand(['ws', 'terminal', 'wks_1', '--terminal', 'trm_1', '-p', 'prj_1'], {
    ...{ env: { BOTTEGA_URL: server.url, BOTTEGA_TOKEN: 'x' }, cwd: await btg.newFolder(), home: btg.home, self: [] },
    stdin: Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined }),
    stdout: Object.assign(new PassThrough(), { isTTY: true }),
    stderr: new PassThrough(),
    signal: new AbortController().signal,
    openPage: async () => false,
  });
  expect(await ended).toBe(code);
});
