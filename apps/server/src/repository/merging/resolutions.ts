import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { absolutePath, type Resolution as SentResolution } from '@bottega/contract';
import { conflict, invalid } from '../../foundation/http/index.ts';
import { checkEach, gather } from '../../foundation/http/request/field-checks.ts';
import { askGit, feedGit, GitError, type GitProgram } from '../cache/index.ts';
import { decodeContent } from '../store/index.ts';
import { longestStepMs, wasTooMuch } from './merge-directory.ts';
import type { Conflict, MergedTrees, Side } from './merge-trees.ts';

/** The resolution of a path: given content, the content of one side, or a deletion. */
export type Resolution = { path: string; index: number; with: Buffer | 'ours' | 'theirs' | null };

export async function readResolutions(sent: readonly SentResolution[], limit: number): Promise<Resolution[]> {
  const read = await gather(sent.map((resolution, index) => readResolution(resolution, index, limit)));
  const paths = new Set<string>();
  await checkEach(read, ({ path, index }) => {
    if (paths.has(path)) throw invalid(`resolutions.${index}.path`, 'is resolved twice');
    paths.add(path);
  });
  return read;
}

async function readResolution(
  { path: text, content, encoding, delete: goes, take }: SentResolution,
  index: number,
  limit: number,
): Promise<Resolution> {
  const field = `resolutions.${index}`;
  const path = absolutePath(text);
  if ([content, goes, take].filter((way) => way !== undefined).length !== 1) {
    throw invalid(field, 'must contain exactly one of content, delete and take');
  }
  if (content === undefined) return { path, index, with: take ?? null };
  return { path, index, with: decodeContent({ content, encoding, field: `${field}.content`, limit }) };
}

/**
 * The conflicts that are left. A resolution for a path without a conflict is refused, because it was made for another
 * merge.
 */
export function unresolved(conflicts: readonly Conflict[], resolutions: readonly Resolution[]): Conflict[] {
  const paths = new Set(conflicts.map(({ path }) => `/${path}`));
  const stranger = resolutions.find(({ path }) => !paths.has(path));
  if (stranger) throw invalid(`resolutions.${stranger.index}.path`, 'has no conflict');
  const resolved = new Set(resolutions.map(({ path }) => path));
  return conflicts.filter(({ path }) => !resolved.has(`/${path}`));
}

/** Builds the tree with these resolutions. All conflicts must be resolved. */
export async function resolveConflicts(
  git: GitProgram,
  directory: string,
  { tree, conflicts }: MergedTrees,
  resolutions: readonly Resolution[],
): Promise<string> {
  if (conflicts.length === 0) return tree;
  const contents = await storeContents(git, directory, resolutions);
  const byPath = new Map(conflicts.map((one) => [`/${one.path}`, one]));
  const entries = resolutions.map((resolution) => {
    const conflict = byPath.get(resolution.path);
    return { path: resolution.path.slice(1), side: conflict ? chosen(resolution, conflict, contents) : null };
  });
  // Removals come first, because a file may replace a directory.
  entries.sort((one, other) => Number(one.side !== null) - Number(other.side !== null));
  const input = entries.map(({ path, side }) => `${side?.mode ?? '0'} ${side?.sha ?? nothing}\t${path}\0`).join('');
  const run = { environment: { GIT_INDEX_FILE: join(directory, 'merge-index') }, timeoutMs: longestStepMs };
  const place = `--git-dir=${directory}`;
  try {
    await feedGit(git, [place, 'read-tree', tree], run);
    await feedGit(git, [place, 'update-index', '-z', '--index-info'], { ...run, input: Buffer.from(input) });
    return (await askGit(git, [place, 'write-tree'], run)).trim();
  } catch (error) {
    if (!(error instanceof GitError) || wasTooMuch(error)) throw error;
    throw conflict('The resolutions contradict each other: one has a file where another needs a directory');
  }
}

const nothing = '0'.repeat(40);

function chosen(resolution: Resolution, conflict: Conflict, contents: ReadonlyMap<Resolution, string>): Side | null {
  if (resolution.with === null) return null;
  if (resolution.with === 'ours' || resolution.with === 'theirs') return conflict[resolution.with];
  const regular = [conflict.ours, conflict.theirs].find((side) => side?.mode.startsWith('100'));
  return { mode: regular?.mode ?? '100644', sha: contents.get(resolution) ?? nothing };
}

async function storeContents(
  git: GitProgram,
  directory: string,
  resolutions: readonly Resolution[],
): Promise<Map<Resolution, string>> {
  const folder = join(directory, 'resolved');
  await mkdir(folder);
  const sent = resolutions.filter((resolution) => Buffer.isBuffer(resolution.with));
  for (const resolution of sent) {
    await writeFile(join(folder, String(resolution.index)), resolution.with as Buffer);
  }
  const input = sent.map(({ index }) => `${join(folder, String(index))}\n`).join('');
  const args = [`--git-dir=${directory}`, 'hash-object', '-w', '--no-filters', '--stdin-paths'];
  const shas = (await askGit(git, args, { input, timeoutMs: longestStepMs })).split('\n');
  return new Map(sent.map((resolution, at) => [resolution, shas[at] ?? '']));
}
