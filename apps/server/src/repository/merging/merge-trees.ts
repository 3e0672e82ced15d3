import type { MergeConflict } from '@bottega/contract';
import { memoryOfOneGit } from '../../foundation/config/index.ts';
import { askGit, type GitProgram } from '../cache/index.ts';
import { longestStepMs } from './merge-directory.ts';

export type ConflictKind = MergeConflict['kind'];

/** What one side has at a path: git's mode in its six digits, and the id of the content. */
export type Side = { mode: string; sha: string };
type Sides = { base: Side | null; ours: Side | null; theirs: Side | null };

/** The path as git has it, without a slash in front. */
export type Conflict = Sides & { path: string; kind: ConflictKind };

/** The tree, whose files with conflicts hold git's markers, or one of the sides. */
export type MergedTrees = { tree: string; conflicts: Conflict[] };

/** To compare each of these that went with each that came takes a second; above, only moves without a change are seen. */
const mostRenames = 1_000;
const mostBytes = 16 * 1024 * 1024;

/** Merges two commits by git's own algorithm. The trees and contents that it makes are in the directory. */
export async function mergeTrees(
  git: GitProgram,
  directory: string,
  { ours, theirs }: { ours: Buffer; theirs: Buffer },
): Promise<MergedTrees> {
  const settings = [
    '-c',
    'core.packedGitLimit=128m',
    '-c',
    `merge.renameLimit=${mostRenames}`,
    '-c',
    'merge.conflictStyle=merge',
  ];
  const commits = [ours.toString('hex'), theirs.toString('hex')];
  const args = [...settings, `--git-dir=${directory}`, 'merge-tree', '--write-tree', '--messages', '-z', ...commits];
  // Its exit code 1 says that there are conflicts.
  const limits = { mostBytes, timeoutMs: longestStepMs, memory: memoryOfOneGit };
  return parseMergedTrees(await askGit(git, args, { answers: [0, 1], ...limits }));
}

/** Tree, then a line for each side of each conflict, an empty one, and what git has to say of which paths. */
export function parseMergedTrees(answer: string): MergedTrees {
  const [tree = '', ...parts] = Buffer.from(answer, 'latin1').toString('utf8').split('\0');
  const end = parts.indexOf('');
  const sides = new Map<string, Sides>();
  for (const line of parts.slice(0, end === -1 ? 0 : end)) {
    const [, mode = '', sha = '', stage = '', path = ''] = /^(\d{6}) ([0-9a-f]{40}) ([123])\t(.*)$/s.exec(line) ?? [];
    const found = sides.get(path) ?? { base: null, ours: null, theirs: null };
    sides.set(path, found);
    found[stageNames[Number(stage) - 1] ?? 'base'] = { mode, sha };
  }
  const said = typesByPath(parts.slice(end + 1));
  const conflicts = [...sides].map(([path, found]) => ({ path, ...found, kind: kindOf(found, said.get(path) ?? '') }));
  return { tree, conflicts };
}

const stageNames = ['base', 'ours', 'theirs'] as const;

/** Each message is the number of its paths, the paths, its type, and its text, which is for people only. */
function typesByPath(parts: string[]): Map<string, string> {
  const types = new Map<string, string>();
  for (let at = 0; at < parts.length; ) {
    const count = Number(parts[at]);
    const type = parts[at + 1 + count] ?? '';
    for (const path of parts.slice(at + 1, at + 1 + count)) types.set(path, `${types.get(path) ?? ''}${type}\n`);
    at += count + 3;
  }
  return types;
}

/** The first that is said of a path decides; of a file that was renamed, that is why the rename does not fit. */
const kindsByType: [said: string, kind: ConflictKind][] = [
  ['submodule', 'submodule'],
  ['file/directory', 'file/directory'],
  ['directory rename', 'directory rename'],
  ['rename/rename', 'rename/rename'],
  ['rename/delete', 'rename/delete'],
  ['modify/delete', 'modify/delete'],
  ['distinct', 'type'],
];

function kindOf({ base, ours, theirs }: Sides, said: string): ConflictKind {
  const kind = kindsByType.find(([type]) => said.includes(`CONFLICT (${type}`))?.[1];
  if (kind) return kind;
  if (!ours || !theirs) return 'other';
  if (ours.sha === theirs.sha) return 'mode';
  return base ? 'content' : 'add/add';
}
