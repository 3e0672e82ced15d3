import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../terminal/failure.ts';
import type { Io } from '../terminal/io.ts';
import { askGit, type Where } from './git.ts';

/** The root of the clone that contains a folder. */
export async function topOf(from: string): Promise<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    if (await lstat(join(folder, '.git')).catch(() => null)) return folder;
    if (dirname(folder) === folder) {
      throw new Failure('usage', 'This folder is not a clone.', 'Clone the project with `btg clone`.');
    }
  }
}

/**
 * Settings that turn off the filters in the clone's own configuration, which are programs that git would run on every
 * file. Filters in the user's configuration stay.
 */
export async function withoutOwnFilters(io: Io, where: Where): Promise<Record<string, string>> {
  const args = ['config', '--null', '--show-scope', '--name-only', '--get-regexp', '^filter[.]'];
  const listed = (await askGit(io, args, where))?.split('\0') ?? [];
  const isOwn = (_key: string, at: number) => at % 2 === 1 && ['local', 'worktree'].includes(listed[at - 1] ?? '');
  const drivers = new Set(listed.filter(isOwn).map((key) => key.slice(0, key.lastIndexOf('.'))));
  const settings = [...drivers].flatMap((driver) => [
    [`${driver}.process`, ''],
    [`${driver}.required`, 'false'],
  ]);
  // The settings are passed as variables, because unlike with `-c`, their names can then contain any character.
  const first = Number(io.env.GIT_CONFIG_COUNT) || 0;
  const entries = settings.flatMap(([key = '', value = ''], at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ]);
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: `${first + settings.length}` };
}
