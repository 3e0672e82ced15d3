import { expect, test } from 'vitest';
import { secretBox } from '../../foundation/crypto/secret-box.ts';
import { transaction } from '../../foundation/db/index.ts';
import { resolveCommit } from '../../repository/store/index.ts';
import { buildSettings, setVariable } from '../../testing/samples/sample-deployments.ts';
import { type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { dropUnusedCaches } from '../caches/index.ts';
import { checked, checkText, projectWithChecks, untilCompleted } from '../checks.fixture.ts';
import { definitionsIn } from '../definitions/index.ts';
import { wantChecks } from '../wanting/index.ts';

// The sandbox costs a second for each run. `in-the-sandbox.test.ts` has a cache in it.
const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const bell = { ring: () => undefined, wait: async () => undefined, count: () => 0 };

/** Says what the cache has, and adds a line to it. */
const remembering = { run: 'cat kept/words 2>/dev/null; mkdir -p kept; cat what >> kept/words', cache: ['kept'] };

/** Runs the check of the project's `main` as if it were another branch or a merge request. */
async function runAs(place: Place, word: string, { scope = 'main', trusted = true }): Promise<string> {
  await writeFile(place, '/what', `${word}\n`);
  const { projectId } = place;
  const commit = await resolveCommit(service.db, projectId, 'main');
  if (!commit) throw new Error('the project has no commit');
  const definitions = await definitionsIn(service.db, projectId, commit.tree_sha);
  const wanted = { project: { id: projectId }, commit, definitions, scope, trusted };
  const tools = { box: secretBox(service.secretKey, 'deployment variables'), bell };
  const [run] = await transaction(service.db, (trx) =>
    wantChecks(trx, { ...wanted, cause: { actorId: null, requestId: 'req_test' } }, tools),
  );
  expect(await untilCompleted(place, run?.id ?? '')).toMatchObject({ conclusion: 'success' });
  const text = await checkText(place, run?.id ?? '');
  return text
    .split('\n')
    .filter((line) => line.startsWith('by '))
    .join();
}

const newPlace = () => projectWithChecks(service, { test: remembering }, { '/what': '' });

test('a run finds what the previous run cached', async () => {
  const place = await newPlace();
  expect(await runAs(place, 'by one', {})).toBe('');
  expect(await runAs(place, 'by two', {})).toBe('by one');
  expect(await runAs(place, 'by three', {})).toBe('by one,by two');
});

test('a merge request starts with the cache of main, and only the merge request itself finds what it caches', async () => {
  const place = await newPlace();
  await runAs(place, 'by main', {});
  expect(await runAs(place, 'by request 1', { scope: 'mr/1' })).toBe('by main');
  expect(await runAs(place, 'by request 1 again', { scope: 'mr/1' })).toBe('by main,by request 1');
  expect(await runAs(place, 'by request 2', { scope: 'mr/2' })).toBe('by main');
  expect(await runAs(place, 'by main again', {})).toBe('by main');
});

test('runs on files of strangers find only what such runs cached themselves', async () => {
  const place = await newPlace();
  await runAs(place, 'by main', {});
  expect(await runAs(place, 'by a stranger', { scope: 'mr/1', trusted: false })).toBe('');
  expect(await runAs(place, 'by the stranger again', { scope: 'mr/1', trusted: false })).toBe('by a stranger');
  expect(await runAs(place, 'by main again', {})).toBe('by main');
});

test('a failed run caches nothing, and a link in place of a directory is not cached', async () => {
  const failing = { run: 'mkdir kept; echo x > kept/x; exit 1', cache: ['kept'] };
  const linking = { run: 'ln -s /etc linked; cat linked/hostname; ls', cache: ['linked'] };
  const place = await projectWithChecks(service, { failing, linking });
  const { linking: linked } = await checked(place);
  expect(await checkText(place, linked?.id ?? '')).toContain('There is nothing to keep');
  const { rows } = await service.pool.query('select from check_caches where project_id = $1', [place.projectId]);
  expect(rows).toEqual([]);
});

test('a cache with missing pieces is reported and dropped, and the check runs without it', async () => {
  const place = await newPlace();
  await runAs(place, 'by one', {});
  await service.pool.query('delete from artifact_chunks where project_id = $1', [place.projectId]);
  expect(await runAs(place, 'by two', {})).toBe('');
  expect(await runAs(place, 'by three', {})).toBe('by two');
});

test('caches count as stored bytes, are replaced, and are deleted after a week without use', async () => {
  const place = await newPlace();
  const stored = async () =>
    (
      await service.pool.query(
        `select s.artifact_bytes::int as bytes, (select count(*)::int from workspace_layers l
           where l.project_id = s.project_id and l.is_needed) as layers
         from project_stats s where s.project_id = $1`,
        [place.projectId],
      )
    ).rows[0];
  await runAs(place, 'by one', {});
  await runAs(place, 'by two', {});
  expect(await stored()).toEqual({ bytes: expect.any(Number), layers: 1 });
  expect((await stored()).bytes).toBeGreaterThan(0);
  await service.pool.query("update check_caches set used_at = now() - interval '8 days' where project_id = $1", [
    place.projectId,
  ]);
  await dropUnusedCaches(service.db);
  expect(await runAs(place, 'by three', {})).toBe('');
});

test('the cache of a merge request becomes the cache of main with its files, unless it also stems from other files', async () => {
  const place = await newPlace();
  await runAs(place, 'by request 1', { scope: 'mr/1' });
  // The same files on main, which need no run.
  await runAs(place, 'by request 1', {});
  expect(await runAs(place, 'by request 2', { scope: 'mr/2' })).toBe('by request 1');
  await runAs(place, 'by request 2 again', { scope: 'mr/2' });
  await runAs(place, 'by request 2 again', {});
  expect(await runAs(place, 'by main', {})).toBe('by request 1');
});

test('runs on files of strangers get none of the variables of the project', async () => {
  const place = await projectWithChecks(service, { test: 'echo "by token $TOKEN."' }, { '/what': '' });
  await setVariable(place, 'TOKEN', { value: 'a-secret-value', kind: 'secret' });
  expect(await runAs(place, 'first', { scope: 'mr/1', trusted: false })).toBe('by token .');
  expect(await runAs(place, 'second', {})).toBe('by token ***.');
});
