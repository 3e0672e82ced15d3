import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Session, SessionComment } from '@bottega/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { contentAt, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { onSessions, socketUrl, startSession } from '../../testing/samples/sample-sessions.ts';
import { startNodeProcess } from '../../testing/service/node-process.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { allSettled, type FuzzClient, jsonClient, yjsClient } from './fuzz.fixture.ts';
import { seededRandom } from './random.fixture.ts';

/** Two processes on one database, with clients on both. The child process owns the texts. */

type Node = { child?: ChildProcess; url: string };

const settings = {
  BOTTEGA_LIVE_LEASE: '1',
  BOTTEGA_LIVE_SOCKETS: '100',
  BOTTEGA_LIVE_SAVE_PAUSE: '100',
  BOTTEGA_RATE_LIMIT_FREE: '1000000/1000000',
};
const service = useTestService({ role: 'api', settings });
let nodes: Node[] = [];
const children: ChildProcess[] = [];
let place: Place & { user: TestUser };
let session: Session;
let all: FuzzClient[] = [];

async function startProcess(): Promise<ChildProcess> {
  const { child, url } = await startNodeProcess(service, { settings });
  children.push(child);
  nodes = [{ child, url }, { url: service.url }];
  return child;
}

beforeAll(startProcess);
beforeEach(async () => {
  place = await newPlace(service);
  session = await startSession(service, place.user, { workspace_id: place.projectId });
});
afterEach(() => Promise.all(all.map((client) => client.close())));
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** A script and an editor at each node; if a node is gone, they use the other. The first to connect is at the child. */
async function open(path: string) {
  const url = (index: number) => () => socketUrl(nodes[index % nodes.length] ?? service, session.session_id);
  const link = (index: number) => ({ url: url(index), key: place.user.key, slowMs: 0 });
  const scripts = [jsonClient({ path, link: link(0) })];
  await allSettled(scripts, 'the first has opened the file');
  scripts.push(jsonClient({ path, link: link(1) }));
  const editors = [0, 1].map((index) => yjsClient({ path, link: link(index) }));
  all = [...scripts, ...editors];
  await allSettled(all, 'all have opened the file');
  expect(await ownerOf()).toBe(nodes[0]?.url);
  return { scripts, editors };
}

async function ownerOf(): Promise<string | undefined> {
  const row = await service.db
    .selectFrom('live_owners')
    .select('address')
    .where('project_id', '=', place.projectId)
    .executeTakeFirst();
  return nodes.find(({ url }) => new URL(url).port === new URL(row?.address ?? 'http://none').port)?.url;
}

test('clients on both nodes edit one file and converge, and either node accepts comments (L1, L18)', async () => {
  await writeFile(place, '/both.txt', 'begin\n');
  const { scripts } = await open('/both.txt');
  const random = seededRandom(1);
  for (let step = 0; step < 80; step++) {
    random.pick(all).edit(random);
    await delay(random.below(5));
  }
  await allSettled(all, 'all have the same');
  scripts[1]?.send({ type: 'save', file_path: '/both.txt', seq: 1000 });
  await waitFor('the file is saved', () => scripts[1]?.saved === 1000);
  expect(await contentAt(place, '/both.txt')).toBe(await allSettled(all, 'all have the same'));
  const made = await Promise.all(
    nodes.map(({ url }) =>
      onSessions<SessionComment>({ url }, place.user, [
        'POST',
        `/${session.session_id}/comments`,
        { file_path: '/both.txt', position: { line: 1, column: 1 }, content: 'Here' },
      ]),
    ),
  );
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
});

test('when the owner is killed, nothing durable is lost, and all clients continue at the other node (L7, L20)', async () => {
  await writeFile(place, '/killed.txt', 'end\n');
  const { scripts, editors } = await open('/killed.txt');
  let written = 0;
  const type = () => {
    scripts[written % 2]?.insert(`<${++written}>`);
    if (written % 3 === 0) editors[written % 2]?.insert(`(${written})`);
  };
  for (let step = 0; step < 40; step++) {
    type();
    await delay(5);
  }
  const durable = scripts.flatMap((script) => script.durable).filter((text) => text !== '');
  nodes.shift()?.child?.kill('SIGKILL');
  for (let step = 0; step < 40; step++) {
    type();
    await delay(5);
  }
  const text = await allSettled(all, 'all have the same at the other node');
  expect(durable.length).toBeGreaterThan(0);
  expect(durable.filter((token) => !text.includes(token))).toEqual([]);
  expect(await ownerOf()).toBe(service.url);
  for (const client of all) client.insert('later');
  const later = await allSettled(all, 'they go on');
  scripts[0]?.send({ type: 'save', file_path: '/killed.txt', seq: 1000 });
  await waitFor('the file is saved', () => scripts[0]?.saved === 1000);
  expect(await contentAt(place, '/killed.txt')).toBe(later);
});

test('when the owner stops in order, its texts continue at the other node with the very next revision (L21)', async () => {
  const child = await startProcess();
  await writeFile(place, '/stopped.txt', 'x\n');
  const { scripts } = await open('/stopped.txt');
  scripts[0]?.insert('1');
  const before = await waitFor('it is durable', () => scripts[0]?.durable.includes('1') && scripts[0].revision());
  nodes.shift();
  child.kill('SIGTERM');
  await once(child, 'exit');
  await allSettled(all, 'all are connected again');
  expect(scripts[0]?.revision()).toBe(before);
  expect(await contentAt(place, '/stopped.txt')).toBe('1x\n');
});
