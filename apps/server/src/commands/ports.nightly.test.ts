import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Deployment } from '@bottega/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processesOf, useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/parts/test-database.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { buildSettings, visit } from '../testing/samples/sample-deployments.ts';
import { urlOf } from './database-url.fixture.ts';

const cli = useCli();
let database: TestDatabase;
let settings: Record<string, string>;
const occupied = createServer();
let taken: number;

beforeAll(async () => {
  database = await createTestDatabase();
  settings = { ...buildSettings, DATABASE_URL: urlOf(database.connection), BOTTEGA_DATA_DIR: await cli.newDataDir() };
  await once(occupied.listen(0, '127.0.0.1'), 'listening');
  taken = (occupied.address() as AddressInfo).port;
});
afterAll(async () => {
  occupied.close();
  await database.drop();
});

test.each([
  { listener: 'of the API', given: () => ({ PORT: taken, BOTTEGA_APPS_PORT: 0 }), mend: 'PORT' },
  {
    listener: 'after it, where nothing names another,',
    given: () => ({ PORT: taken - 1 }),
    mend: 'BOTTEGA_APPS_PORT, or PORT which it follows,',
  },
  {
    listener: 'of what is deployed',
    given: () => ({ PORT: 0, BOTTEGA_APPS_PORT: taken }),
    mend: 'BOTTEGA_APPS_PORT, or PORT which it follows,',
  },
])(
  'if the port $listener is in use, one line names the port and the setting that changes it',
  async ({ given, mend }) => {
    const ports = Object.fromEntries(Object.entries(given()).map(([name, port]) => [name, String(port)]));
    const { code, stdout, stderr } = await cli.run(['start'], { ...settings, ...ports });
    expect(stderr).toBe(`bottega: Port ${taken} is already in use (EADDRINUSE): set ${mend} to another port.\n`);
    expect({ code, isRunning: stdout.includes('Bottega is running') }).toEqual({ code: 1, isRunning: false });
  },
);

test('several processes that fail because a port is in use say so in one line, and leave nothing behind', async () => {
  const dataDir = await cli.newDataDir();
  const several = { BOTTEGA_DATA_DIR: dataDir, BOTTEGA_PROCESSES: '2', PORT: String(taken) };
  const outcome = await cli.run(['start'], several);
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/^bottega: .*EADDRINUSE[^\n]*\n$/) });
  expect(await processesOf(dataDir)).toEqual([]);
});

test('with PORT=0 the API and the deployed apps each get a free port', async () => {
  const running = await cli.start({ ...settings, PORT: '0' });
  const token = /btg_live_\w+/.exec(running.stdout())?.[0] ?? '';
  const ask = async <Body>(method: string, path: string, json?: unknown) => {
    const answer = await call<Body>(method, `${running.url}/v1/projects${path}`, { token, json });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const { id } = await ask<{ id: string }>('POST', '', { name: 'Site' });
  await ask('PUT', `/${id}/files`, { path: '/index.html', content: 'here' });
  const asked = await ask<Deployment>('POST', `/${id}/deployments`, {});
  const url = await waitFor('it is deployed', async () => {
    const deployment = await ask<Deployment>('GET', `/${id}/deployments/${asked.id}`);
    return deployment.status === 'success' && deployment.url;
  });
  expect((await visit(`${url}/`)).text).toBe('here');
  const [api, apps] = [new URL(running.url).port, new URL(url).port].map(Number);
  expect(api).toBeGreaterThan(0);
  expect(apps).toBeGreaterThan(0);
  expect(apps).not.toBe(api);
  running.signal('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0 });
});
