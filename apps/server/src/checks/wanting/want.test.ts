import { expect, test } from 'vitest';
import { secretBox } from '../../foundation/crypto/secret-box.ts';
import { transaction } from '../../foundation/db/index.ts';
import { resolveCommit } from '../../repository/store/index.ts';
import { projectOf, setVariable } from '../../testing/samples/sample-deployments.ts';
import type { Place } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { type CheckDefinition, definitionsIn } from '../definitions/index.ts';
import { wantChecks } from './want.service.ts';

// Nothing runs here, so that what is wanted stays as it is.
const service = useTestService({ role: 'api' });
const bell = { ring: () => undefined, wait: async () => undefined, count: () => 0 };

const withChecks = (checks: unknown) => projectOf(service, { '/bottega.json': JSON.stringify({ checks }) });

type More = { definitions?: CheckDefinition[]; trusted?: boolean };

async function want({ projectId }: Place, { definitions, trusted = true }: More = {}) {
  const commit = await resolveCommit(service.db, projectId, 'main');
  if (!commit) throw new Error('the project has no commit');
  const all = definitions ?? (await definitionsIn(service.db, projectId, commit.tree_sha));
  const cause = { actorId: null, requestId: 'req_test' };
  const wanted = { project: { id: projectId }, commit, definitions: all, scope: 'main', trusted, cause };
  const tools = { box: secretBox(service.secretKey, 'deployment variables'), bell };
  return transaction(service.db, (trx) => wantChecks(trx, wanted, tools));
}

test('checks of the same files run once, whoever requests them, and the checks that they need are shared too', async () => {
  const place = await withChecks({ test: { run: 'npm test', needs: ['lint'] }, lint: { run: 'npm run lint' } });
  const first = await want(place);
  expect(first.map(({ name, status }) => [name, status])).toEqual([
    ['test', 'queued'],
    ['lint', 'queued'],
  ]);
  expect(first[0]?.needs).toEqual([first[1]?.id]);
  expect(first[0]?.need_names).toEqual(['lint']);
  const again = await Promise.all([want(place), want(place)]);
  for (const rows of again) expect(rows.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
});

test('simultaneous requests for the same new checks get the same runs', async () => {
  const place = await withChecks({ a: { run: 'a', needs: ['b'] }, b: { run: 'b', needs: ['c'] }, c: { run: 'c' } });
  const wanted = await Promise.all(Array.from({ length: 6 }, () => want(place)));
  const [first] = wanted.map((rows) => rows.map(({ id }) => id).join());
  expect(wanted.map((rows) => rows.map(({ id }) => id).join())).toEqual(wanted.map(() => first));
});

test('another definition, a changed variable and files of strangers each lead to a separate run', async () => {
  const place = await withChecks({ test: { run: 'npm test' } });
  const [first] = await want(place);
  const [other] = await want(place, { definitions: [{ ...definition, run: 'npm run test' }] });
  const [strange] = await want(place, { trusted: false });
  await setVariable(place, 'TOKEN', { value: 'a-secret-value', kind: 'secret' });
  const [changed] = await want(place);
  const [stillStrange] = await want(place, { trusted: false });
  expect(new Set([first, other, strange, changed].map((row) => row?.id)).size).toBe(4);
  expect(stillStrange?.id).toBe(strange?.id);
  expect(strange?.variables_encrypted).toBeNull();
  expect(changed?.variables_encrypted).not.toBeNull();
});

const definition = { name: 'test', run: 'npm test', paths: [], needs: [], timeout: null, cache: [], reports: [] };

test('a check is skipped at once if a check that it needs has failed before, and so are the checks that need it', async () => {
  const place = await withChecks({
    lint: { run: 'x' },
    test: { run: 'x', needs: ['lint'] },
    ship: { run: 'x', needs: ['test'] },
  });
  const [lint] = await want(place, { definitions: [{ ...definition, name: 'lint', run: 'x' }] });
  await service.pool.query("update check_runs set status = 'completed', conclusion = 'failure' where id = $1", [
    lint?.id,
  ]);
  const rows = await want(place);
  expect(rows.map(({ name, conclusion, title }) => [name, conclusion, title])).toEqual([
    ['lint', 'failure', ''],
    ['test', 'skipped', 'lint did not succeed'],
    ['ship', 'skipped', 'test did not succeed'],
  ]);
});

test('a project has at most 200 waiting checks', async () => {
  const place = await withChecks({});
  const batch = (from: number) =>
    Array.from({ length: 50 }, (_, n) => ({ ...definition, name: `c${from + n}`, run: 'x' }));
  for (const from of [0, 50, 100, 150]) await want(place, { definitions: batch(from) });
  await expect(want(place, { definitions: [definition] })).rejects.toThrow('at most 200 waiting checks');
  expect(await want(place, { definitions: batch(0) })).toHaveLength(50);
});
