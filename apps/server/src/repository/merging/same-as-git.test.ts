import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { fuzzRuns, fuzzSeed } from '../../testing/runner/thoroughness.ts';
import { newPlace } from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { useDirectory, useGitClient } from '../smart-http/git-client.fixture.ts';
import { merge, refusalIn } from './merging.fixture.ts';

const service = useTestService({ settings: { BOTTEGA_DATA_DIR: useDirectory('data') } });
const client = useGitClient(service);
let owner: TestUser;
beforeAll(async () => {
  owner = await service.createUser({ plan: 'pro' });
});

/** Both sides change the same lines, and move files into each other's way. */
const name = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'ä', 'x y');
const line = fc.integer({ min: 0, max: 11 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(name, line, fc.constantFrom('X', 'Y')).map(([at, n, word]) => edit(at, n, word)) },
  { weight: 2, arbitrary: fc.tuple(name, name).map(([from, to]) => `git mv -f '${from}' '${to}'`) },
  { weight: 1, arbitrary: name.map((at) => `git rm -qf '${at}'`) },
  { weight: 1, arbitrary: name.map((at) => `chmod +x '${at}'`) },
  { weight: 3, arbitrary: fc.constantFrom('git checkout -q main', 'git checkout -q feature') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('git merge -q -X ours --no-edit feature', 'git merge -q -X theirs --no-edit main'),
  },
);

const edit = (at: string, n: number, word: string) =>
  `mkdir -p d; [ -f '${at}' ] || seq 1 12 > '${at}'; sed -i.old '${n + 1}s/.*/${word}/' '${at}'; rm '${at}.old'`;

/** One shell for all steps. Steps that fail are skipped. */
const scriptOf = (steps: readonly string[]): string =>
  [
    'mkdir d; for f in a b d/a; do seq 1 12 > $f; done; git add -A; git commit -qm base; git branch feature',
    ...steps.map((one) => `{ ${one} || git merge --abort; git add -A; git commit -qm step; } >/dev/null 2>&1`),
    'git checkout -q main; git push -q origin main feature',
    'git merge -q -s ort --no-ff --no-edit feature >/dev/null 2>&1',
    // Git stops without a conflict in any file if a directory rename is not possible. The index then has the result.
    'echo "tree $(git write-tree 2>/dev/null)"; git -c core.quotePath=false ls-files -u | cut -f2 | sort -u',
  ].join('\n');

/** If a file blocks a directory, git appends the name of the side to it. */
const withoutSide = (path: string): string => path.replace(/~[^/]*$/, '');

const numRuns = fuzzRuns(60, 2);

test(
  'any two histories are merged as in git: to the same tree, or with the same conflicts',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const place = await newPlace(service, {}, owner);
        const clone = await client.clone(place.projectId, owner);
        const [tree = '', ...conflicts] = (await clone.shell(scriptOf(steps))).split('\n');
        const answer = await merge(place);
        if (answer.status === 201) {
          expect(conflicts).toEqual([]);
          await clone.git('fetch', '--quiet');
          expect(`tree ${await clone.git('rev-parse', 'origin/main^{tree}')}`).toBe(tree);
          return;
        }
        const refusal = refusalIn(answer);
        const told = (refusal.conflicts ?? []).map(({ path }) => withoutSide(path.slice(1)));
        expect(told.toSorted()).toEqual(conflicts.map(withoutSide).toSorted());
        if (conflicts.length === 0) expect(refusal.reason).toBe('nothing_to_merge');
      }),
      { seed: fuzzSeed, numRuns },
    );
  },
  120_000 + numRuns * 15_000,
);
