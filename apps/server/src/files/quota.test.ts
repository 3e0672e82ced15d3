import { describe, expect, test } from 'vitest';
import { expectError } from '../testing/expect-error.ts';
import { commit, history, inProject, listPaths, newPlace, putFile, writeFile } from '../testing/sample-files.ts';
import { useTestService } from '../testing/test-service.ts';

const service = useTestService({
  settings: { BOTTEGA_FILES_LIMIT_FREE: '3', BOTTEGA_STORAGE_LIMIT_PRO: '20000' },
});
const refusal = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;

describe("the files that the owner's plan allows in a project", () => {
  test('one more is refused, and leaves no trace; changing those that are there works', async () => {
    const place = await newPlace(service);
    for (const path of ['/a', '/b', '/c']) await writeFile(place, path);
    expectError(await putFile(place, { path: '/d', content: 'x' }), refusal);
    expect(await listPaths(place)).toEqual(['/a', '/b', '/c']);
    expect((await history(place)).data).toHaveLength(3);
    expect((await putFile(place, { path: '/c', content: 'other' })).status).toBe(200);
  });

  test('a commit that adds more than there is room for is refused as a whole', async () => {
    const place = await newPlace(service);
    await writeFile(place, '/a');
    const create = (path: string) => ({ action: 'create', path, content: 'x' });
    expectError(await commit(place, [create('/b'), create('/c'), create('/d')]), refusal);
    expect(await listPaths(place)).toEqual(['/a']);
    expect((await commit(place, [create('/b'), create('/c')])).status).toBe(201);
  });

  test('deleting makes room again', async () => {
    const place = await newPlace(service);
    const { id } = await writeFile(place, '/a');
    for (const path of ['/b', '/c']) await writeFile(place, path);
    expect((await inProject(place, 'DELETE', `/files/${id}`)).status).toBe(204);
    expect((await putFile(place, { path: '/d', content: 'x' })).status).toBe(201);
  });
});

test("the bytes that the owner's plan allows are held over all projects of the owner", async () => {
  const user = await service.createUser({ plan: 'pro' });
  const places = await Promise.all([0, 1].map(() => newPlace(service, {}, user)));
  const [one, other] = places;
  if (!one || !other) throw new Error('two projects were made');
  const noise = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64');
  const put = (place: typeof one, path: string) => putFile(place, { path, content: noise(7000), encoding: 'base64' });
  expect((await put(one, '/a')).status).toBe(201);
  expect((await put(other, '/b')).status).toBe(201);
  expectError(await put(one, '/c'), refusal);
  expect(await listPaths(one)).toEqual(['/a']);
});
