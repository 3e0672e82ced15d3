import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { inProject, listPaths, newPlace, type Place, putFile } from '../../testing/samples/sample-files.ts';
import { startNode } from '../../testing/service/node.ts';
import { type Reached, useTestService } from '../../testing/service/test-service.ts';
import { collectNow, packNow } from '../packing/packing.fixture.ts';
import { useGitClient } from '../smart-http/git-client.fixture.ts';

const service = useTestService();
let other: Awaited<ReturnType<typeof startNode>>;
beforeAll(async () => {
  other = await startNode({ connection: service.database.connection });
});
afterAll(() => other?.close());
const client = useGitClient(service);
const settings = { auto_preview: false, auto_deploy: false };
const files = 1_200;

async function flatPlace() {
  const place = await newPlace(service, { settings });
  for (let from = 0; from < files; from += 400) {
    const changes = Array.from({ length: 400 }, (_, n) => ({
      ...{ action: 'create', path: `/flat/file${from + n}.txt`, content: `${from + n}\n` },
    }));
    expect((await inProject(place, 'POST', '/commits', { json: { changes } })).status).toBe(201);
  }
  return place;
}

const put = async (place: Place<Reached>, number: number, content: string): Promise<void> => {
  const answer = await putFile(place, { path: `/flat/file${number}.txt`, content });
  expect([200, 201], answer.text).toContain(answer.status);
};

const treesOf = async ({ projectId }: Pick<Place, 'projectId'>): Promise<{ base: Buffer | null; bytes: number }[]> =>
  (
    await service.pool.query(
      'select base, octet_length(deflated) as bytes from git_objects where project_id = $1 and type = 2 and size > 32768 order by seq',
      [projectId],
    )
  ).rows;

async function mustBeWhole({ projectId, user }: Awaited<ReturnType<typeof flatPlace>>): Promise<void> {
  const clone = await client.clone(projectId, user);
  const { ok, stderr } = await clone.tryGit('fsck', '--strict', '--full');
  expect(ok, stderr).toBe(true);
}

test('a write to a directory of many files stores only the changes of its tree, and all reads work', async () => {
  const place = await flatPlace();
  await waitFor('trees may be stored as deltas', async () => {
    await put(place, 1, `${Math.random()}\n`);
    return (await treesOf(place)).at(-1)?.base !== null;
  });
  for (let number = 0; number < 40; number++) await put(place, number * 7, `new ${number}\n`);
  await put(place, 5_000, 'added\n');
  const trees = await treesOf(place);
  expect(trees.slice(-41).filter(({ base, bytes }) => base && bytes < 8_192)).toHaveLength(41);
  await mustBeWhole(place);
  // Another node knows nothing of the head, and continues from what is stored.
  const elsewhere = { ...place, service: other };
  expect(await listPaths(elsewhere, '?path=/flat')).toHaveLength(files + 1);
  await put(elsewhere, 3, 'from elsewhere\n');
  await put(place, 4, 'and back\n');
  const commits = await inProject<{ data: { sha: string }[] }>(place, 'GET', '/commits?limit=30');
  const old = commits.body.data.at(-1)?.sha ?? '';
  expect(await listPaths(place, `?path=/flat&ref=${old}`)).toHaveLength(files);
  await mustBeWhole(place);
});

test('the base of a tree at the head stays while a delta needs it, and is removed with the next pack', async () => {
  const place = await flatPlace();
  await waitFor('trees may be stored as deltas', async () => {
    await put(place, 1, `${Math.random()}\n`);
    return (await treesOf(place)).at(-1)?.base !== null;
  });
  await put(place, 2, 'two\n');
  await packNow(place);
  expect((await treesOf(place)).map(({ base }) => base !== null)).toEqual([false, true]);
  await put(place, 3, 'three\n');
  await put({ ...place, service: other }, 4, 'four\n');
  await mustBeWhole(place);
  await collectNow(place);
  await packNow(place);
  await put(place, 5, 'five\n');
  await mustBeWhole(place);
  expect(await listPaths(place, '?path=/flat')).toHaveLength(files);
});

test('trees of another branch are stored whole, because nothing keeps the base of a delta there', async () => {
  const place = await flatPlace();
  expect((await inProject(place, 'POST', '/branches', { json: { name: 'side' } })).status).toBe(201);
  const side = { ...place, branch: 'side' };
  await put(side, 1, 'one\n');
  await put(side, 2, 'two\n');
  expect((await treesOf(place)).filter(({ base }) => base)).toEqual([]);
  await packNow(place);
  await put(side, 3, 'three\n');
  expect(await listPaths(side, '?path=/flat')).toHaveLength(files);
});
