import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../apps/server/src/collaboration/texts/random.fixture.ts';
import { byNight, fuzzSeed } from '../../../apps/server/src/testing/runner/thoroughness.ts';
import { useTestService } from '../../../apps/server/src/testing/service/test-service.ts';
import { Bottega } from './index.ts';
import { type FaultyProxy, startFaultyProxy } from './testing/faulty-proxy.ts';

/**
 * A third of all requests goes wrong on the way: they are lost, answered by a proxy, or done with the answer lost or
 * cut. Everything that can be repeated succeeds, and nothing is created twice.
 */

const service = useTestService({ role: 'api' });
let [direct, faulty]: Bottega[] = [];
let proxy: FaultyProxy;

beforeAll(async () => {
  const { key: token } = await service.createUser({ plan: 'enterprise' });
  proxy = await startFaultyProxy(service.url, seededRandom(fuzzSeed), 0.35);
  direct = new Bottega({ baseUrl: service.url, token });
  // A chance of a third occurs many times in a row now and then.
  faulty = new Bottega({ baseUrl: proxy.url, token, maxRetries: 20, timeout: 20_000 });
});
afterAll(() => proxy.close());

const rounds = byNight(60, 5);
const clients = () => ({ direct: direct as Bottega, faulty: faulty as Bottega });

test('nothing is created twice, and no call fails that could be repeated', async () => {
  const { direct, faulty } = clients();
  const names = Array.from({ length: rounds }, (_, round) => `Project ${round}`);
  // Most of the time is waiting, so all of them wait together.
  await Promise.all(names.map((name) => oneRound(name)));
  expect(await namesOf(direct.projects.list({ limit: 5 }))).toEqual(names.toSorted());
  expect(await namesOf(faulty.projects.list({ limit: 2 }))).toEqual(names.toSorted());
  expect(await namesOf(direct.sessions.list())).toEqual(names.toSorted());
  const { data: left } = await direct.projects.list({ limit: 100 });
  await Promise.all(left.map(({ id }) => faulty.projects.delete(id)));
  expect(await namesOf(direct.projects.list())).toEqual([]);
  expect(Object.keys(proxy.faults).length).toBe(7);
});

async function oneRound(name: string): Promise<void> {
  const { direct, faulty } = clients();
  const { id } = await faulty.projects.create({ name });
  expect(await faulty.projects.get(id)).toMatchObject({ name });
  await faulty.projects.update(id, { description: name });
  await faulty.files.write(id, { path: '/a.txt', content: name });
  await faulty.commits.create(id, { message: 'Once', changes: [{ action: 'create', path: '/b', content: 'b' }] });
  await faulty.branches.create(id, { name: 'other' });
  await faulty.branches.delete(id, 'other');
  await faulty.sessions.create({ name, workspace_id: id });
  const commits = (await direct.commits.list(id)).data.map(({ message }) => message);
  expect(commits.filter((message) => message === 'Once')).toHaveLength(1);
  expect(commits).toHaveLength(2);
}

async function namesOf(list: AsyncIterable<{ name: string }>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of list) names.push(name);
  return names.toSorted();
}

test('a call that may not be repeated is sent once, whatever happens to it', async () => {
  const { direct, faulty } = clients();
  const project = await direct.projects.create({ name: 'Once' });
  const session = await direct.sessions.create({ name: 'Once', workspace_id: project.id });
  for (let round = 0; round < rounds * 3; round++) {
    const sent: (number | undefined)[] = [];
    const watched = new Bottega({
      ...{ baseUrl: proxy.url, token: (await direct.apiKeys.create({ name: 'watched' })).key, maxRetries: 20 },
      onAttempt: ({ status }) => sent.push(status),
    });
    await watched.sessions.rotateInvite(session.session_id).catch(() => undefined);
    // Only a 429 says that nothing was done.
    expect(sent.slice(0, -1).every((status) => status === 429)).toBe(true);
  }
  await faulty.projects.delete(project.id);
});
