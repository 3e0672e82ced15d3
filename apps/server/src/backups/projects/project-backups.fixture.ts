import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { readConfig } from '../../foundation/config/index.ts';
import { createGitProgram } from '../../repository/cache/index.ts';
import type { TestService, TestUser } from '../../testing/service/test-service.ts';
import { fileAt } from '../backups.fixture.ts';
import { backUpProject, restoreProject } from './index.ts';

type Restoring = { passphrase?: string; settings?: Record<string, string> };

/** Makes backups of projects of a service, and restores them into it. */
export function useProjectBackups(service: TestService) {
  const directory = mkdtempSync(join(tmpdir(), 'bottega-project-backups-'));
  const home = join(directory, 'git');
  mkdirSync(home);
  const git = createGitProgram({ executablePath: process.env.PATH ?? '', home });
  let files = 0;
  afterAll(async () => {
    await git.starter.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const newPath = (): string => join(directory, `${++files}.backup`);
  return {
    newPath,

    async backUp(projectId: string, passphrase: string | null = null): Promise<string> {
      const path = newPath();
      await backUpProject(service.db, {
        projectId,
        place: fileAt(path),
        version: '0.2.0',
        passphrase,
        progress: () => undefined,
      });
      return path;
    },

    async restore(owner: TestUser, path: string, { passphrase, settings = {} }: Restoring = {}): Promise<string> {
      const { plan } = await service.db
        .selectFrom('users')
        .select('plan')
        .where('id', '=', owner.id)
        .executeTakeFirstOrThrow();
      const config = readConfig(settings);
      const source = { place: fileAt(path), passphrase: passphrase ?? null };
      return (await restoreProject({ db: service.db, git, config }, { userId: owner.id, plan }, source)).id;
    },

    /** What finished imports have left behind. */
    inQuarantine: (): string[] => readdirSync(join(home, 'restore')),

    /** A push that is under way in another container, whose processes have the same ids. */
    beginPush(): string {
      const directory = join(home, 'push', `${process.pid}-00000000-1`);
      mkdirSync(directory, { recursive: true });
      return directory;
    },
  };
}
