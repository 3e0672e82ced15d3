import { expect, test } from 'vitest';
import { contentAt, history, inProject, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { useGitClient } from '../smart-http/git-client.fixture.ts';
import { finishPacking, planPack } from '../store/index.ts';
import { packNow, storedOf, writeHistory } from './packing.fixture.ts';

const service = useTestService();
const client = useGitClient(service);
const settings = { auto_preview: false, auto_deploy: false };

async function mustBeWhole({ projectId, user }: Awaited<ReturnType<typeof newPlace>>, commits: number): Promise<void> {
  const clone = await client.clone(projectId, user);
  expect(await clone.git('rev-list', '--count', 'HEAD')).toBe(String(commits));
  const { ok, stderr } = await clone.tryGit('fsck', '--strict', '--full');
  expect(ok, stderr).toBe(true);
}

const packsOf = async ({ projectId }: Place): Promise<number> =>
  (await service.pool.query('select from git_packs where project_id = $1', [projectId])).rows.length;

test('a pack that a killed process began is never read, and is removed by the next process', async () => {
  const place = await newPlace(service, { settings });
  await writeHistory(place, { commits: 30, paths: ['/a.txt', '/b/c.txt'] });
  await service.pool.query(
    `insert into git_packs (project_id, name, objects, bytes, bits, up_to, last_sha)
     values ($1, '\\x00', 1, 1, 0, 9223372036854775807, '\\x00')`,
    [place.projectId],
  );
  await mustBeWhole(place, 30);
  await packNow(place);
  expect(await packsOf(place)).toBe(1);
  await mustBeWhole(place, 30);
});

test('rows that a killed process did not delete after writing a pack are deleted by the next process', async () => {
  const place = await newPlace(service, { settings });
  await writeHistory(place, { commits: 30, paths: ['/a.txt', '/b/c.txt'] });
  await service.pool.query(`
    create function keep_rows() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger keep_rows before delete on git_objects for each row execute function keep_rows()`);
  await packNow(place);
  await service.pool.query('drop trigger keep_rows on git_objects; drop function keep_rows');
  const { rows, head, packs } = await storedOf(place);
  expect([packs.length, rows > head]).toEqual([1, true]);
  await mustBeWhole(place, 30);
  await packNow(place);
  expect((await storedOf(place)).rows).toBe(head);
  await mustBeWhole(place, 30);
});

test('a pack is discarded if another process has already replaced the same packs', async () => {
  const place = await newPlace(service, { settings });
  await writeHistory(place, { commits: 30, paths: ['/a.txt', '/b/c.txt'] });
  await packNow(place);
  await writeHistory(place, { commits: 30, paths: ['/a.txt', '/b/c.txt'] });
  const plan = await planPack(service.db, place.projectId, 1);
  expect(plan?.replaced).toHaveLength(1);
  await packNow(place);
  const { rows } = await service.pool.query(
    `insert into git_packs (project_id, name, objects, bytes, bits, up_to, last_sha)
     values ($1, '\\x00', 1, 1, 0, 1, '\\x00') returning id`,
    [place.projectId],
  );
  if (plan) await finishPacking(service.db, place.projectId, rows[0].id, plan);
  const { packs, charged, real } = await storedOf(place);
  expect([packs.length, await packsOf(place)]).toEqual([1, 1]);
  expect(charged).toBe(real);
  await mustBeWhole(place, 60);
});

test('files can be written, pushed and read while the history is packed repeatedly', async () => {
  const place = await newPlace(service, { settings });
  await writeHistory(place, { commits: 40, paths: ['/a.txt', '/b/c.txt'] });
  const clone = await client.clone(place.projectId, place.user);
  let isOver = false;
  const packing = (async () => {
    while (!isOver) await packNow(place);
  })();
  try {
    for (let round = 0; round < 6; round++) {
      const texts = ['one', 'two', 'one', 'three'].map((text) => `${text} ${round % 2}\n`);
      for (const [at, text] of texts.entries()) {
        await writeFile(place, '/b/c.txt', text);
        await writeFile(place, `/new-${round}-${at}.txt`, text);
        expect(await contentAt(place, '/b/c.txt')).toBe(text);
      }
      await clone.git('pull', '-q', '--rebase');
      await clone.git('checkout', '-q', `HEAD~${5 + round}`, '--', 'b');
      await clone.git('commit', '-q', '--allow-empty', '-m', `Back ${round}`);
      await clone.git('push', '-q');
      const files = await inProject<{ data: { path: string }[] }>(place, 'GET', '/files?recursive=true&ref=HEAD~3');
      expect([200, 404]).toContain(files.status);
    }
  } finally {
    isOver = true;
    await packing;
  }
  await packNow(place);
  await mustBeWhole(place, (await history(place)).pagination.total);
  const { rows, head, charged, real } = await storedOf(place);
  expect([rows, charged]).toEqual([head, real]);
}, 60_000);
