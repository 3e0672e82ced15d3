import { describe, expect, test } from 'vitest';
import { purge } from '../../projects/projects.jobs.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import {
  commit,
  history,
  inProject,
  listPaths,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({
  settings: { BOTTEGA_FILES_LIMIT_FREE: '3', BOTTEGA_STORAGE_LIMIT_PRO: '20000', BOTTEGA_STORAGE_LIMIT_FREE: '10000' },
});
const refusal = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;

describe("the files that the owner's plan allows in a project", () => {
  test('cannot be exceeded: one more is refused without a trace, and existing ones can be changed', async () => {
    const place = await newPlace(service);
    for (const path of ['/a', '/b', '/c']) await writeFile(place, path);
    expectError(await putFile(place, { path: '/d', content: 'x' }), refusal);
    expect(await listPaths(place)).toEqual(['/a', '/b', '/c']);
    expect((await history(place)).data).toHaveLength(3);
    expect((await putFile(place, { path: '/c', content: 'other' })).status).toBe(200);
  });

  test('cannot be exceeded by a commit, which is refused as a whole', async () => {
    const place = await newPlace(service);
    await writeFile(place, '/a');
    const create = (path: string) => ({ action: 'create', path, content: 'x' });
    expectError(await commit(place, [create('/b'), create('/c'), create('/d')]), refusal);
    expect(await listPaths(place)).toEqual(['/a']);
    expect((await commit(place, [create('/b'), create('/c')])).status).toBe(201);
  });

  test('do not include deleted files, so that deleting makes room', async () => {
    const place = await newPlace(service);
    const { id } = await writeFile(place, '/a');
    for (const path of ['/b', '/c']) await writeFile(place, path);
    expect((await inProject(place, 'DELETE', `/files/${id}`)).status).toBe(204);
    expect((await putFile(place, { path: '/d', content: 'x' })).status).toBe(201);
  });
});

describe("the bytes that the owner's plan allows", () => {
  const noise = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64');
  const put = (place: Place, path: string) => putFile(place, { path, content: noise(7000), encoding: 'base64' });
  const usedBy = async ({ user }: Place) => {
    const url = `${service.url}/v1/user/usage`;
    return (await call<{ stored_bytes: { used: number } }>('GET', url, { token: user.key })).body.stored_bytes.used;
  };

  test('are shared by all projects of the owner', async () => {
    const user = await service.createUser({ plan: 'pro' });
    const [one, other] = [await newPlace(service, {}, user), await newPlace(service, {}, user)];
    expect((await put(one, '/a')).status).toBe(201);
    expect((await put(other, '/b')).status).toBe(201);
    expectError(await put(one, '/c'), refusal);
    expect(await listPaths(one)).toEqual(['/a']);
  });

  test('cannot be exceeded by parallel writes to several projects', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await service.createUser({ plan: 'pro' });
      const places = await Promise.all(Array.from({ length: 6 }, () => newPlace(service, {}, user)));
      const change = () => ({ action: 'create', path: '/a', content: noise(7000), encoding: 'base64' });
      const answers = await Promise.all(places.map((place) => commit(place, [change()])));
      const passed = answers.filter(({ status }) => status === 201).length;
      expect(passed, answers.map(({ text }) => text).join()).toBeLessThanOrEqual(2);
      expect(passed).toBeGreaterThan(0);
    }
  });

  test('cannot be evaded by writing, deleting and writing again', async () => {
    const user = await service.createUser({ plan: 'pro' });
    const written = await newPlace(service, {}, user);
    for (const path of ['/a', '/b']) expect((await put(written, path)).status).toBe(201);
    const before = await usedBy(written);
    expect((await inProject(written, 'DELETE', '')).status).toBe(200);
    const next = await newPlace(service, {}, user);
    expectError(await put(next, '/c'), refusal);
    expect(await usedBy(next)).toBe(before);
    await purge(service.db, { project_id: written.projectId }, []);
    expect((await put(next, '/c')).status).toBe(201);
  });

  test('also limit the restore of a project', async () => {
    const user = await service.createUser({ plan: 'pro' });
    const place = await newPlace(service, {}, user);
    for (const path of ['/a', '/b']) expect((await put(place, path)).status).toBe(201);
    expect((await inProject(place, 'DELETE', '')).status).toBe(200);
    const onPlan = (plan: string) => service.pool.query('update users set plan = $2 where id = $1', [user.id, plan]);
    await onPlan('free');
    const key = await service.createKey(user.id);
    const restore = () => inProject({ ...place, user: key }, 'POST', '/restore');
    expectError(await restore(), refusal);
    await onPlan('pro');
    const other = await service.createKey(user.id);
    expect((await inProject({ ...place, user: other }, 'POST', '/restore')).status).toBe(200);
    expect(await listPaths(place)).toEqual(['/a', '/b']);
  });
});
