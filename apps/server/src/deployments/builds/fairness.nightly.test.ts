import { describe, expect, test } from 'vitest';
import { transaction } from '../../foundation/db/transaction.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import {
  buildSettings,
  deploy,
  projectOf,
  readDeployment,
  untilEnded,
} from '../../testing/samples/sample-deployments.ts';
import { inProject } from '../../testing/samples/sample-files.ts';
import {
  startTestService,
  type TestService,
  type TestUser,
  useTestService,
} from '../../testing/service/test-service.ts';
import { claimNext } from '../state/queue.sql.ts';

const plain = { '/index.html': 'x' };
const sleeping = { build_command: 'sleep 300' };
const settings = { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process', BOTTEGA_BUILDS_FREE: '2' };

const placesOf = (service: TestService, user: TestUser, count: number) =>
  Promise.all(Array.from({ length: count }, () => projectOf(service, plain, user)));

const buildingOf = async (service: TestService, user: TestUser): Promise<number> =>
  (
    await service.pool.query(
      `select count(*) from deployments d join projects p on p.id = d.project_id
       where d.status = 'building' and p.owner_id = $1`,
      [user.id],
    )
  ).rows[0].count;

describe('with places for four builds', () => {
  const service = useTestService({
    settings: { ...settings, BOTTEGA_BUILD_CONCURRENCY: '4', BOTTEGA_BUILDS_PRO: 'none' },
  });

  test('an account with long builds does not make another account wait', async () => {
    const [busy, other] = [await service.createUser({ plan: 'pro' }), await service.createUser()];
    const places = await placesOf(service, busy, 5);
    const made = [];
    for (const place of places) made.push({ place, id: (await deploy(place, sleeping)).id });
    await waitFor('they run, all but the place for others', async () => (await buildingOf(service, busy)) >= 3);
    const mine = await projectOf(service, plain, other);
    expect((await untilEnded(mine, (await deploy(mine)).id)).status).toBe('success');
    expect(await buildingOf(service, busy)).toBe(3);
    await Promise.all(made.map(({ place, id }) => inProject(place, 'POST', `/deployments/${id}/cancel`)));
  });

  test('no more builds of an account run at once than its plan allows', async () => {
    const user = await service.createUser({ plan: 'free' });
    const [first, second, third] = await placesOf(service, user, 3);
    if (!first || !second || !third) throw new Error('three projects were asked for');
    const one = await deploy(first, sleeping);
    const two = await deploy(second, sleeping);
    const three = await deploy(third);
    await waitFor('two run', async () => (await buildingOf(service, user)) === 2);
    expect((await readDeployment(third, three.id)).status).toBe('pending');
    await inProject(first, 'POST', `/deployments/${one.id}/cancel`);
    expect((await untilEnded(third, three.id)).status).toBe('success');
    await inProject(second, 'POST', `/deployments/${two.id}/cancel`);
  });
});

test('with one place, accounts take turns, however many builds the first account had queued before', async () => {
  const { running: service, close } = await startTestService({
    settings: { ...settings, BOTTEGA_BUILD_CONCURRENCY: '1' },
  });
  const [busy, other] = [await service.createUser(), await service.createUser()];
  const places = await placesOf(service, busy, 5);
  const begun = await deploy(places[0] ?? fail(), sleeping);
  const theirs = [];
  for (const place of places.slice(1)) theirs.push({ place, ...(await deploy(place)) });
  const mine = [];
  for (const place of await placesOf(service, other, 2)) mine.push({ place, ...(await deploy(place)) });
  await inProject(places[0] ?? fail(), 'POST', `/deployments/${begun.id}/cancel`);
  for (const { place, id } of [...theirs, ...mine]) expect((await untilEnded(place, id)).status).toBe('success');
  const { rows } = await service.pool.query(
    `select p.owner_id from deployments d join projects p on p.id = d.project_id where d.status = 'success' order by d.started_at`,
  );
  const order = rows.map(({ owner_id }) => (owner_id === other.id ? 'other' : 'busy'));
  expect(order).toEqual(['other', 'busy', 'other', 'busy', 'busy', 'busy']);
  await close();
});

describe('two workers that look at the same moment', () => {
  const service = useTestService({ role: 'api' });
  const limits = { free: 2, pro: 4, enterprise: null };
  const claim = (workerId: string, isLastPlace = false) =>
    transaction(service.db, (trx) => claimNext(trx, { workerId, limits, isLastPlace }));

  test('together take no more builds of an account than its plan allows, and each build once', async () => {
    const [busy, other] = [await service.createUser(), await service.createUser()];
    for (const place of await placesOf(service, busy, 6)) await deploy(place);
    for (const place of await placesOf(service, other, 1)) await deploy(place);
    const looks = Array.from({ length: 8 }, (_, index) => claim(index % 2 === 0 ? 'one' : 'two'));
    const taken = (await Promise.all(looks)).flatMap((row) => (row ? [row.id] : []));
    expect(new Set(taken).size).toBe(3);
    expect([await buildingOf(service, busy), await buildingOf(service, other)]).toEqual([2, 1]);
  });

  test('leave the last place to an account without running builds, and take only the first build of a project', async () => {
    const [busy, other] = [await service.createUser(), await service.createUser()];
    const [place] = await placesOf(service, busy, 1);
    const made = [await deploy(place ?? fail()), await deploy(place ?? fail())];
    const preview = await deploy(place ?? fail(), { environment: 'preview' });
    expect((await claim('one'))?.id).toBe(made[0]?.id);
    expect(await claim('two', true)).toBeUndefined();
    const mine = await deploy((await placesOf(service, other, 1))[0] ?? fail());
    expect((await claim('two', true))?.id).toBe(mine.id);
    expect((await claim('two'))?.id).toBe(preview.id);
    expect(await claim('two')).toBeUndefined();
  });
});

function fail(): never {
  throw new Error('there is no project');
}
