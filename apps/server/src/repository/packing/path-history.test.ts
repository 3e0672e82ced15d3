import type { Commit } from '@bottega/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns, fuzzSeed } from '../../testing/runner/thoroughness.ts';
import { inProject, newPlace, type Place } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { useGitClient } from '../smart-http/git-client.fixture.ts';
import { packNow, writeHistory } from './packing.fixture.ts';

const service = useTestService();
const client = useGitClient(service);
const settings = { auto_preview: false, auto_deploy: false };
const paths = ['/a', '/d/a', '/d/b', '/d/e/a', '/d/e/b'];
const read = [...paths, '/d', '/d/e', '/', '/never'];

async function touching(place: Place, path: string, ref: string, page = 1): Promise<{ shas: string[]; total: number }> {
  const query = `path=${encodeURIComponent(path)}&ref=${ref}&limit=3&page=${page}`;
  const answer = await inProject<{ data: Commit[]; pagination: { total: number } }>(place, 'GET', `/commits?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return { shas: answer.body.data.map(({ sha }) => sha), total: answer.body.pagination.total };
}

async function allTouching(place: Place, refs: readonly string[]) {
  const found: Record<string, { shas: string[]; total: number }> = {};
  for (const ref of refs) {
    for (const path of read) {
      for (const page of [1, 2]) found[`${ref} ${path} ${page}`] = await touching(place, path, ref, page);
    }
  }
  return found;
}

type Step = { branch: number; kind: 'write' | 'delete' | 'merge' | 'mode'; path: number; text: number };
const step = fc.record<Step>({
  branch: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom('write', 'write', 'write', 'delete', 'merge', 'mode'),
  path: fc.integer({ min: 0, max: paths.length - 1 }),
  text: fc.integer({ min: 0, max: 3 }),
});

/** Commits on three branches that are merged into each other, as one shell script. */
function scriptOf(steps: readonly Step[]): string {
  const lines = steps.map(({ branch, kind, path, text }, number) => {
    const file = paths[path]?.slice(1) ?? '';
    const change = {
      write: `mkdir -p "$(dirname ${file})" && echo ${text} > ${file}`,
      delete: `rm -f ${file}`,
      mode: `mkdir -p "$(dirname ${file})" && touch ${file} && chmod +x ${file}`,
      merge: `git merge -q -X ours -m 'Merge ${number}' b${(branch + 1) % 3} || git reset -q --hard`,
    }[kind];
    return `git checkout -q b${branch} && { ${change}; } && git add -A && git commit -q --allow-empty -m ${number}`;
  });
  return ['git add -A; for b in b0 b1 b2; do git branch -q -f $b; done', ...lines].join('\n');
}

test('the history of a path is the same, whichever part of it is in packs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 30 }),
      fc.array(step, { minLength: 1, maxLength: 10 }),
      async (steps, later) => {
        const packed = await newPlace(service, { settings });
        const plain = await newPlace(service, { settings }, packed.user);
        const clone = await client.repository();
        await clone.commit('First', { a: 'first\n' });
        const push = async (script: string) => {
          await clone.shell(script);
          for (const { projectId } of [packed, plain]) {
            await clone.git('push', '-q', client.addressOf(projectId, packed.user.key), 'b0', 'b1', 'b2', 'b0:main');
          }
        };
        await push(scriptOf(steps));
        await packNow(packed);
        const refs = ['main', 'b1', 'b2'];
        expect(await allTouching(packed, refs)).toEqual(await allTouching(plain, refs));
        await push(scriptOf(later).replace(/^.*\n/, ''));
        const both = [...refs, 'b0'];
        expect(await allTouching(packed, both)).toEqual(await allTouching(plain, both));
        await packNow(packed);
        expect(await allTouching(packed, both)).toEqual(await allTouching(plain, both));
      },
    ),
    { seed: fuzzSeed, numRuns: fuzzRuns(25, 3) },
  );
}, 600_000);

test('a commit does not appear in the history of a branch without it, even if one pack contains both', async () => {
  const place = await newPlace(service, { settings });
  await writeHistory(place, { commits: 6, paths: ['/a', '/b'] });
  expect((await inProject(place, 'POST', '/branches', { json: { name: 'side' } })).status).toBe(201);
  const side = { ...place, branch: 'side' };
  await writeHistory(side, { commits: 4, paths: ['/b', '/c'] });
  await writeHistory(place, { commits: 4, paths: ['/a'] });
  await packNow(place);
  expect([await touching(place, '/a', 'main'), await touching(place, '/a', 'side')].map(({ total }) => total)).toEqual([
    7, 3,
  ]);
  expect([await touching(place, '/c', 'main'), await touching(place, '/c', 'side')].map(({ total }) => total)).toEqual([
    0, 2,
  ]);
});
