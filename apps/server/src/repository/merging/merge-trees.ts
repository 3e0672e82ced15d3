import type { MergeConflict } from '@bottega/contract';
import { createPace } from '../../foundation/concurrency/pace.ts';
import { memoryOfOneGit } from '../../foundation/config/index.ts';
import { askGit, type GitProgram } from '../cache/index.ts';
import { longestStepMs } from './merge-directory.ts';

export type ConflictKind = MergeConflict['kind'];

/** One side of a path: git's mode as six digits, and the id of the content. */
export type Side = { mode: string; sha: string };
type Sides = { base: Side | null; ours: Side | null; theirs: Side | null };

/** The path in git's form, without a leading slash. */
export type Conflict = Sides & { path: string; kind: ConflictKind };

/** The merged tree. Files with conflicts contain git's markers, or the content of one side. */
export type MergedTrees = { tree: string; conflicts: Conflict[] };

/**
 * Maximum number of files for rename detection. For this number of pairs, it takes a second. With more files, only
 * moves without a change are detected.
 */
const maxRenames = 1_000;
const maxBytes = 16 * 1024 * 1024;

/** Merges two commits with git's own algorithm. New trees and contents are stored in the directory. */
export async function mergeTrees(
  git: GitProgram,
  directory: string,
  { ours, theirs }: { ours: Buffer; theirs: Buffer },
): Promise<MergedTrees> {
  const settings = [
    '-c',
    'core.packedGitLimit=128m',
    '-c',
    `merge.renameLimit=${maxRenames}`,
    '-c',
    'merge.conflictStyle=merge',
  ];
  const commits = [ours.toString('hex'), theirs.toString('hex')];
  const args = [...settings, `--git-dir=${directory}`, 'merge-tree', '--write-tree', '--messages', '-z', ...commits];
  // Exit code 1 means that there are conflicts.
  const limits = { maxBytes, timeoutMs: longestStepMs, memory: memoryOfOneGit };
  return parseMergedTrees(await askGit(git, args, { answers: [0, 1], ...limits }), createPace());
}

type Pace = ReturnType<typeof createPace>;

/** Parses the tree, a line per side of each conflict, an empty line, and git's messages about paths. */
export async function parseMergedTrees(answer: string, { maybeYield }: Pace): Promise<MergedTrees> {
  const parts = partsOf(answer);
  const tree = parts.next().value ?? '';
  const sides = new Map<string, Sides>();
  // Without conflicts nothing follows the tree.
  for (let line = parts.next().value ?? ''; line !== ''; line = parts.next().value ?? '') {
    await maybeYield();
    const [, mode = '', sha = '', stage = '', path = ''] = /^(\d{6}) ([0-9a-f]{40}) ([123])\t(.*)$/s.exec(line) ?? [];
    const found = sides.get(path) ?? { base: null, ours: null, theirs: null };
    sides.set(path, found);
    found[stageNames[Number(stage) - 1] ?? 'base'] = { mode, sha };
  }
  const said = await kindsSaid(parts, { maybeYield });
  const conflicts: Conflict[] = [];
  for (const [path, found] of sides) {
    await maybeYield();
    conflicts.push({ path, ...found, kind: kindOf(found, said.get(path)) });
  }
  return { tree, conflicts };
}

/** Yields parts one at a time: splitting a long response in one step would block the event loop. */
function* partsOf(answer: string): Generator<string, undefined> {
  for (let from = 0; from < answer.length; ) {
    const end = answer.indexOf('\0', from);
    const part = answer.slice(from, end < 0 ? answer.length : end);
    yield Buffer.from(part, 'latin1').toString('utf8');
    from += part.length + 1;
  }
}

const stageNames = ['base', 'ours', 'theirs'] as const;

/** A message consists of the number of its paths, the paths, its type, and a text for people. */
async function kindsSaid(parts: Iterator<string, undefined>, { maybeYield }: Pace): Promise<Map<string, number>> {
  const kinds = new Map<string, number>();
  for (let count = parts.next().value; count !== undefined; count = parts.next().value) {
    await maybeYield();
    const paths = Array.from({ length: Number(count) }, () => parts.next().value ?? '');
    const type = parts.next().value ?? '';
    parts.next();
    const kind = kindsByType.findIndex(([said]) => type.startsWith(`CONFLICT (${said}`));
    if (kind < 0) continue;
    for (const path of paths) kinds.set(path, Math.min(kind, kinds.get(path) ?? kind));
  }
  return kinds;
}

/** The first message about a path determines its kind. For a renamed file, it says why the rename conflicts. */
const kindsByType: [said: string, kind: ConflictKind][] = [
  ['submodule', 'submodule'],
  ['file/directory', 'file/directory'],
  ['directory rename', 'directory rename'],
  ['rename/rename', 'rename/rename'],
  ['rename/delete', 'rename/delete'],
  ['modify/delete', 'modify/delete'],
  ['distinct', 'type'],
];

function kindOf({ base, ours, theirs }: Sides, said: number | undefined): ConflictKind {
  const kind = said === undefined ? undefined : kindsByType[said]?.[1];
  if (kind) return kind;
  if (!ours || !theirs) return 'other';
  if (ours.sha === theirs.sha) return 'mode';
  return base ? 'content' : 'add/add';
}
