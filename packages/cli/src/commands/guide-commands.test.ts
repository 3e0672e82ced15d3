import { expect, test } from 'vitest';
import { allBlocksOf, blocksOf, follow } from '../../../../apps/server/src/testing/parts/documented-page.ts';
import { buildSettings } from '../../../../apps/server/src/testing/samples/sample-deployments.ts';
import { addCollaborator } from '../../../../apps/server/src/testing/samples/sample-projects.ts';
import type { TestUser } from '../../../../apps/server/src/testing/service/test-service.ts';
import { useShop } from '../merge-requests/git-shop.fixture.ts';
import { sources } from '../testing/btg.fixture.ts';

const shop = useShop({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const btg = `btg() { '${process.execPath}' '${sources}' "$@"; }`;

const ran = new Set<string>();

/** Runs the block of a page that begins so, in the clone. Its merge request is the first of the project. */
function run(
  page: string,
  beginning: string,
  names: Record<string, string> = {},
  { user = shop.ada, after = '' }: { user?: TestUser; after?: string } = {},
) {
  const block = allBlocksOf(page).find((one) => one.startsWith(beginning));
  if (block === undefined) throw new Error(`${page} has no block that begins with ${beginning}`);
  ran.add(block);
  const number = { ' 7': ' 1', ' 2': ' 1' };
  return follow([btg, block, after], { cwd: shop.folder, variables: shop.envOf(user), names: { ...number, ...names } });
}

const withCheck = () =>
  shop.write({ 'bottega.json': JSON.stringify({ checks: { words: { run: 'echo many words' } } }) }, 'Check it');

test('the commands of docs/cli.md work: deploying, checks, and a merge request of somebody else', async () => {
  expect(await run('docs/cli.md', 'id=$(btg deploy', {}, { after: 'echo $id' })).toMatch(/^dep_/m);
  await withCheck();
  expect(await run('docs/cli.md', 'btg check run')).toContain('words  success');
  await shop.offer();
  expect(await shop.byBen('create', '--source', 'feature', '--title', 'Say two')).toMatchObject({ code: 0 });
  await shop.git('checkout', '--quiet', '-b', 'other');
  await shop.write({ 'b.txt': 'b\n' }, 'Say b');
  await shop.git('push', '--quiet', 'origin', 'other');
  const output = await run('docs/cli.md', 'btg mr create', { 'ada@example.com': shop.ben.email });
  expect(output).toContain('/merge-requests/2');
  expect(output).toContain('+two');
  expect(await shop.viewed()).toMatchObject({ state: 'merged' });
});

test('the commands of docs/merge-requests.md work for a branch of the project, and for a branch of a fork', async () => {
  await shop.offer();
  expect(await run('docs/merge-requests.md', 'btg mr create')).toContain('+two');
  const cleo = await shop.service.createUser({ name: 'Cleo' });
  await addCollaborator(shop.service, shop.project, cleo, { role: 'viewer' });
  const names = { prj_01jd2m6vz8e3r9x5k7q4w1t0ab: shop.project, 'cd shop': `cd ${shop.name}` };
  expect(await run('docs/merge-requests.md', 'btg fork', names, { user: cleo })).toContain('/merge-requests/2');
});

test('the commands of docs/merge-requests.md and docs/checks.md work for checks and for the queue', async () => {
  await withCheck();
  await shop.git('push', '--quiet', 'origin', 'main');
  await shop.offer();
  expect(await shop.mr('create')).toMatchObject({ code: 0 });
  expect(await run('docs/checks.md', 'btg check run')).toContain('many words');
  const rule = JSON.stringify({ pattern: 'main', approvals: 1 });
  const url = `${shop.service.url}/v1/projects/${shop.project}/branch-rules`;
  const headers = { authorization: `Bearer ${shop.ada.key}`, 'content-type': 'application/json' };
  expect((await fetch(url, { method: 'POST', headers, body: rule })).status).toBe(201);
  expect(await shop.mr('merge', '1', '--when-ready')).toMatchObject({ code: 0 });
  await run('docs/merge-requests.md', 'btg mr dequeue');
  expect(await shop.viewed()).toMatchObject({ state: 'open', queue: null });
  expect(await shop.byBen('review', '1', '--approve')).toMatchObject({ code: 0 });
  await run('docs/merge-requests.md', 'btg mr checks');
  expect(await shop.viewed()).toMatchObject({ state: 'merged' });
});

test('no other block of these pages has btg commands', () => {
  const ofOthers = ['docs/merge-requests.md', 'docs/checks.md'].flatMap((page) => allBlocksOf(page));
  const all = [...blocksOf('docs/cli.md'), ...ofOthers.filter((block) => block.startsWith('btg '))];
  expect([...ran].sort()).toEqual(all.sort());
});
