import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from '@bottega/contract';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Running, useCli } from '../../testing/clients/cli.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { byNight } from '../../testing/runner/thoroughness.ts';
import { onSessions, socketUrl } from '../../testing/samples/sample-sessions.ts';
import { allSettled, type FuzzClient, jsonClient, type Script, yjsClient } from './fuzz.fixture.ts';

/** A whole service on a separate PostgreSQL server, which is killed while it runs. */

const cli = useCli();
const path = '/notes.txt';
let dataDir: string;
let settings: Record<string, string>;
let service: Running;
let key: string;
let session: Session;
let all: FuzzClient[] = [];
/** How the service ended connections, and the status codes of requests. */
const ends: number[] = [];
const answers = new Set<number>();

const ask = <Body>(method: string, address: string, json?: unknown) =>
  call<Body>(method, `${service.url}/v1${address}`, { token: key, ...(json !== undefined && { json }) });

beforeAll(async () => {
  dataDir = await cli.newDataDir();
  settings = { BOTTEGA_DATA_DIR: dataDir, BOTTEGA_RATE_LIMIT_ENTERPRISE: '1000000/1000000' };
  service = await cli.start(settings);
  key = /btg_live_\w+/.exec(service.stdout())?.[0] ?? '';
  const made = { name: 'Notes', settings: { auto_save: false } };
  const { id } = (await ask<{ id: string }>('POST', '/projects', made)).body;
  await ask('PUT', `/projects/${id}/files`, { path, content: 'end\n' });
  session = (await onSessions<Session>(service, { key }, ['POST', '', { name: 'Night', workspace_id: id }])).body;
});
afterEach(async () => {
  await Promise.all(all.map((client) => client.close()));
});

async function connectAll(): Promise<Script[]> {
  const ended = (how: number) => void ends.push(how);
  const link = { url: () => socketUrl(service, session.session_id), key, slowMs: 0, ended };
  const scripts = Array.from({ length: 3 }, () => jsonClient({ path, link }));
  all = [...scripts, yjsClient({ path, link })];
  await allSettled(all, 'all have opened the file');
  return scripts;
}

const postmaster = () => Number.parseInt(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);

let written = 0;
async function typeOn(steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    all[written % all.length]?.insert(`<${++written}>`);
    await delay(5);
  }
}

test('when PostgreSQL is killed while everybody types, no acknowledged edit is lost, and all texts are equal (L7)', async () => {
  const scripts = await connectAll();
  for (let kill = 0; kill < byNight(6, 1); kill++) {
    await typeOn(60);
    const former = postmaster();
    process.kill(former, 'SIGKILL');
    await typeOn(60);
    await waitFor('requests are answered again', async () => {
      const { status } = await ask('GET', '/projects');
      answers.add(status);
      return postmaster() !== former && status === 200;
    });
    await allSettled(all, 'all have the same');
  }
  const text = await allSettled(all, 'all have the same in the end');
  const durable = scripts.flatMap((script) => script.durable);
  expect(durable.length).toBeGreaterThan(60);
  expect(durable.filter((token) => !text.includes(token))).toEqual([]);
  // A short outage of the database disconnects nobody; new clients are asked to come again.
  expect(ends.filter((how) => ![503, 1012, 4010].includes(how))).toEqual([]);
  expect([...answers].filter((status) => ![200, 503].includes(status))).toEqual([]);

  // The service's memory is lost with it; the database has everything that was acknowledged.
  service.signal('SIGKILL');
  await service.ended;
  await Promise.all(all.map((client) => client.close()));
  service = await cli.start(settings);
  const [reader] = await connectAll();
  expect(reader?.text()).toBe(text);
});
