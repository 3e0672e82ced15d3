import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MergeRequest } from '@bottega/sdk';
import { beforeAll, beforeEach } from 'vitest';
import { addCollaborator } from '../../../../apps/server/src/testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../../../apps/server/src/testing/service/test-service.ts';
import { useBtg } from '../testing/btg.fixture.ts';

const run = promisify(execFile);

/** For each test a project of Ada, with Ben as an editor, and a clone of Ada's. */
export function useShop(options: Parameters<typeof useTestService>[0] = {}) {
  const service = useTestService(options);
  const btg = useBtg();
  let made = 0;
  const shop = { ada: {} as TestUser, ben: {} as TestUser, name: '', project: '', folder: '' };

  const envOf = ({ key }: TestUser) => ({
    ...{ PATH: process.env.PATH ?? '', HOME: btg.home, BOTTEGA_URL: service.url, BOTTEGA_TOKEN: key },
    ...{ GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_GLOBAL: '/dev/null' },
    ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b.c', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b.c' },
  });
  const gitIn = (cwd: string, user: TestUser, ...args: string[]) => run('git', args, { cwd, env: envOf(user) });
  const git = (...args: string[]) => gitIn(shop.folder, shop.ada, ...args);

  /** Commits files. */
  async function write(files: Record<string, string>, message: string, cwd = shop.folder): Promise<void> {
    for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
    await gitIn(cwd, shop.ada, 'add', '--all');
    await gitIn(cwd, shop.ada, 'commit', '--quiet', '-m', message);
  }

  /** Pushes a branch with one commit. */
  async function offer(): Promise<void> {
    await git('checkout', '--quiet', '-b', 'feature');
    await write({ 'a.txt': '1\ntwo\n3\n' }, 'Say two');
    await git('push', '--quiet', 'origin', 'feature');
  }

  beforeAll(async () => {
    shop.ada = await service.createUser({ name: 'Ada' });
    shop.ben = await service.createUser({ name: 'Ben' });
  });

  beforeEach(async () => {
    shop.name = `shop-${++made}`;
    const around = { env: envOf(shop.ada), cwd: await btg.newFolder() };
    const { folder } = await btg.json<{ folder: string }>(['init', shop.name, '--template', 'empty'], around);
    const link = JSON.parse(await readFile(join(folder, '.btg/project.json'), 'utf8')) as { project_id: string };
    Object.assign(shop, { folder, project: link.project_id });
    await addCollaborator(service, shop.project, shop.ben, { role: 'editor' });
    await write({ 'a.txt': '1\n2\n3\n' }, 'Begin');
    await git('push', '--quiet', 'origin', 'main');
  });
  return Object.assign(shop, {
    ...{ service, btg, envOf, gitIn, git, write, offer },
    mr: (...args: string[]) => btg(['mr', ...args], { env: envOf(shop.ada), cwd: shop.folder }),
    byBen: (...args: string[]) => btg(['mr', ...args, '-p', shop.project], { env: envOf(shop.ben) }),
    viewed<More>(): Promise<MergeRequest & More> {
      const args = ['mr', 'view', '1', '--threads', '--diff', '-p', shop.project];
      return btg.json<MergeRequest & More>(args, { env: envOf(shop.ada) });
    },
  });
}
