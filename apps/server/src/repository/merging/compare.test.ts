import { expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { newPlace, writeFile } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { useGitClient } from '../smart-http/git-client.fixture.ts';
import { branched, change, compare, compared, merged } from './merging.fixture.ts';

const service = useTestService();
const client = useGitClient(service);

const sides = {
  base: { 'a.txt': '1\n2\n', 'b.txt': 'b\n' },
  ours: { 'a.txt': '1\nours\n' },
  theirs: { 'a.txt': '1\ntheirs\n', 'c.txt': 'c\n' },
};

test('a comparison has what only the head has, and the paths that conflict', async () => {
  const place = await branched(service, client, sides);
  const [base, head, mergeBase] = (await place.clone.git('rev-parse', 'main', 'feature', 'main~1')).split('\n');
  const comparison = await compared(place);
  expect(comparison).toMatchObject({
    base,
    head,
    merge_base: mergeBase,
    status: 'diverged',
    ahead: 1,
    behind: 1,
    commits: [{ sha: head, message: 'Theirs' }],
    files: [
      { path: '/a.txt', status: 'modified', additions: 1, deletions: 1, diff: expect.stringContaining('+theirs') },
      { path: '/c.txt', status: 'added' },
    ],
    mergeable: false,
    conflicts: ['/a.txt'],
  });
  expect(await compared(place, `base=${base}&head=${head?.slice(0, 8)}`)).toEqual(comparison);
});

test('a summary has only the counts', async () => {
  const place = await branched(service, client, sides);
  expect(await compared(place, 'base=main&head=feature&summary=true')).toMatchObject({
    status: 'diverged',
    ahead: 1,
    behind: 1,
    commits: [],
    files: [],
    mergeable: null,
    conflicts: [],
  });
});

test('a comparison without diffs still lists the files and the conflicts', async () => {
  const place = await branched(service, client, sides);
  expect(await compared(place, 'base=main&head=feature&diffs=0')).toMatchObject({
    commits: [{ message: 'Theirs' }],
    files: [
      { path: '/a.txt', diff: null },
      { path: '/c.txt', diff: null },
    ],
    truncated: false,
    mergeable: false,
    conflicts: ['/a.txt'],
  });
});

test('identical, older, newer and unrelated histories have different statuses', async () => {
  const place = await branched(service, client, { ...sides, ours: { 'd.txt': 'd\n' } });
  expect(await compared(place)).toMatchObject({ status: 'diverged', mergeable: true, conflicts: [] });
  await merged(place);
  expect(await compared(place)).toMatchObject({ status: 'behind', ahead: 0, behind: 2, commits: [], files: [] });
  expect(await compared(place, 'base=feature&head=main')).toMatchObject({ status: 'ahead', ahead: 2, mergeable: true });
  expect(await compared(place, 'base=main&head=main')).toMatchObject({ status: 'identical', ahead: 0, behind: 0 });
  await place.clone.git('checkout', '--quiet', '--orphan', 'alone');
  await change(place.clone, 'Alone', { 'e.txt': 'e\n' });
  await place.clone.git('push', '--quiet', 'origin', 'alone');
  expect(await compared(place, 'base=main&head=alone')).toMatchObject({
    status: 'unrelated',
    merge_base: null,
    ahead: 1,
    mergeable: false,
  });
});

test('a comparison lists the newest hundred commits of a long history, and counts all', async () => {
  const place = await branched(service, client, { ...sides, theirs: {} });
  await place.clone.shell(`git checkout -q feature
    for n in $(seq 120); do git commit -q --allow-empty -m "Step $n"; done; git push -q origin feature`);
  const { ahead, commits } = await compared(place);
  expect([ahead, commits.length, commits[0]?.message]).toEqual([121, 100, 'Step 120']);
});

test('a comparison with an unknown name is a 404, as is one that the caller may not see', async () => {
  const place = await branched(service, client, sides);
  const missing = { status: 404, code: 'NOT_FOUND' } as const;
  for (const name of ['nothing', '--all', 'main..feature', 'main^', '-h', 'refs/heads/main']) {
    expectError(await compare(place, `base=main&head=${encodeURIComponent(name)}`), missing);
    expectError(await compare(place, `head=main&base=${encodeURIComponent(name)}`), missing);
  }
  expectError(await compare({ ...place, user: await service.createUser() }, 'base=main&head=feature'), missing);
  const empty = await newPlace(service);
  expectError(await compare(empty, 'base=main&head=main'), missing);
  await writeFile(empty, '/a');
  expect((await compare(empty, 'base=main&head=main')).status).toBe(200);
});
