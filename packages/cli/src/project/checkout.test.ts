import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { useShop } from '../merge-requests/git-shop.fixture.ts';

const shop = useShop();
let clone: string;
const checkout = (...args: string[]) =>
  shop.btg(['mr', 'checkout', '1', ...args], { env: shop.envOf(shop.ben), cwd: clone });
const inClone = async (...args: string[]) => (await shop.gitIn(clone, shop.ben, ...args)).stdout.trim();

beforeEach(async () => {
  const cwd = await shop.btg.newFolder();
  clone = (
    await shop.btg.json<{ folder: string }>(['clone', shop.project, 'theirs'], { env: shop.envOf(shop.ben), cwd })
  ).folder;
  await shop.offer();
  await shop.mr('create');
});

test('btg mr checkout checks out the newest version, moves on to the next one, and can push', async () => {
  const first = await checkout();
  expect(first, first.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('feature') });
  expect(await readFile(join(clone, 'a.txt'), 'utf8')).toBe('1\ntwo\n3\n');
  await shop.write({ 'a.txt': '1\ntwo\nthree\n' }, 'More');
  await shop.git('push', '--quiet', 'origin', 'feature');
  expect((await checkout()).code).toBe(0);
  expect(await readFile(join(clone, 'a.txt'), 'utf8')).toBe('1\ntwo\nthree\n');
  await shop.write({ 'b.txt': 'by Ben\n' }, 'By Ben', clone);
  expect((await checkout()).code).toBe(0);
  await inClone('push', '--quiet');
  expect(await shop.viewed()).toMatchObject({ head_sha: await inClone('rev-parse', 'HEAD'), version: 3 });
});

test('btg mr checkout keeps local commits that the merge request does not have', async () => {
  await inClone('checkout', '--quiet', '-b', 'feature');
  await shop.write({ 'c.txt': 'mine\n' }, 'Mine', clone);
  expect(await checkout()).toMatchObject({ code: 7, stderr: expect.stringContaining('--branch') });
  expect(await inClone('log', '-1', '--format=%s')).toBe('Mine');
  expect((await checkout('--branch', 'review')).code).toBe(0);
  expect(await inClone('branch', '--show-current')).toBe('review');
  expect((await shop.btg(['mr', 'checkout', '1', '-p', shop.project], { env: shop.envOf(shop.ben) })).code).toBe(2);
});

test('btg mr checkout runs nothing that the configuration of the clone names, and sends the password nowhere else', async () => {
  await shop.write({ '.gitattributes': '* filter=x\n*.md filter=a=b\n', 'x.md': 'x\n' }, 'Filter');
  await shop.git('push', '--quiet', 'origin', 'feature');
  const outside = await shop.btg.newFolder();
  const ran = `touch ${outside}/ran`;
  const own = `
[core]
fsmonitor = ${ran}
hooksPath = ${outside}
worktree = ${outside}
alternateRefsCommand = ${ran}
[remote "origin"]
uploadpack = ${ran}
[credential]
helper = !${ran}
[http]
proxy = http://127.0.0.1:9
[filter "x"]
smudge = ${ran}
process = ${ran}
required = true
[filter "a=b"]
smudge = ${ran}
[url "http://127.0.0.1:9/"]
insteadOf = ${shop.service.url}/
`;
  await appendFile(join(clone, '.git/config'), own);
  const done = await checkout();
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(await readFile(join(clone, 'x.md'), 'utf8')).toBe('x\n');
  expect(await readdir(outside)).toEqual([]);
});
