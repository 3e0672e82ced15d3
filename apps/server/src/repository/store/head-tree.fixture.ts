import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Db } from '../../foundation/db/index.ts';
import { inflateObject, type ObjectType } from '../objects/objects.ts';
import { type PackedObject, packStream } from '../objects/pack.ts';
import { decodeTree } from '../objects/trees.ts';

const hex = (sha: Buffer): string => sha.toString('hex');
const typeNames: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };

type Objects = { type: number; size: number; sha: Buffer; deflated: Buffer }[];

function objectsOf(db: Db, projectId: string): Promise<Objects> {
  return db
    .selectFrom('git_objects')
    .select(['type', 'size', 'sha', 'deflated'])
    .where('project_id', '=', projectId)
    .execute();
}

async function tipOf(db: Db, projectId: string, branch = 'main'): Promise<Buffer | null> {
  const ref = await db
    .selectFrom('git_refs')
    .select('sha')
    .where('project_id', '=', projectId)
    .where('name', '=', `refs/heads/${branch}`)
    .executeTakeFirst();
  return ref?.sha ?? null;
}

type Tree = { directories: Map<string, string>; files: Map<string, string> };

async function treeOf(db: Db, projectId: string, tip: Buffer): Promise<Tree> {
  const objects = new Map((await objectsOf(db, projectId)).map((object) => [hex(object.sha), object]));
  const contentOf = (sha: Buffer): Buffer => {
    const object = objects.get(hex(sha));
    if (!object) throw new Error(`no object ${hex(sha)}`);
    return inflateObject(object.deflated, object.size);
  };
  const root = Buffer.from(contentOf(tip).toString('utf8', 5, 45), 'hex');
  const directories = new Map([['', hex(root)]]);
  const files = new Map<string, string>();
  const walk = (path: string, sha: Buffer): void => {
    for (const entry of decodeTree(contentOf(sha))) {
      const place = `${path}/${entry.name}`;
      if (entry.mode === 0o40000) {
        directories.set(place, hex(entry.sha));
        walk(place, entry.sha);
      } else files.set(place, `${entry.mode.toString(8)} ${hex(entry.sha)}`);
    }
  };
  walk('', root);
  return { directories, files };
}

/** Expects that every row of another branch is about an entry of its tree, with its content, and that its files are counted. */
export async function expectEntriesToBeInTheTree(db: Db, projectId: string, branch: string): Promise<void> {
  const tip = branch === 'main' ? null : await tipOf(db, projectId, branch);
  if (!tip) return;
  const { directories, files } = await treeOf(db, projectId, tip);
  const entries = await db.selectFrom('branch_entries').selectAll().where('project_id', '=', projectId).execute();
  for (const { path, is_directory, executable, sha } of entries.filter(({ ref }) => ref === `refs/heads/${branch}`)) {
    const expected = is_directory ? directories.get(path) : files.get(path);
    expect(is_directory ? hex(sha) : `${executable ? '100755' : '100644'} ${hex(sha)}`, path).toBe(expected);
  }
  const { files_count } = await db
    .selectFrom('git_refs')
    .select('files_count')
    .where('project_id', '=', projectId)
    .where('name', '=', `refs/heads/${branch}`)
    .executeTakeFirstOrThrow();
  expect([null, files.size]).toContain(files_count);
}

/** Expects that the rows of files and directories equal the tree at the head of main. */
export async function expectRowsToBeTheTree(db: Db, projectId: string): Promise<void> {
  const main = await tipOf(db, projectId);
  if (!main) return;
  const { directories, files } = await treeOf(db, projectId, main);
  const fileRows = await db.selectFrom('files').selectAll().where('project_id', '=', projectId).execute();
  const asEntry = ({ executable, blob_sha }: (typeof fileRows)[number]) =>
    `${executable ? '100755' : '100644'} ${hex(blob_sha)}`;
  expect(new Map(fileRows.map((row) => [row.path, asEntry(row)]))).toEqual(files);
  const directoryRows = await db.selectFrom('directories').selectAll().where('project_id', '=', projectId).execute();
  expect(new Map(directoryRows.map(({ path, tree_sha }) => [path, tree_sha && hex(tree_sha)]))).toEqual(directories);
  const parent = (path: string) => path.slice(0, path.lastIndexOf('/'));
  for (const row of fileRows) expect(row.parent).toBe(parent(row.path));
  for (const row of directoryRows) expect(row.parent).toBe(row.path === '' ? null : parent(row.path));
}

/** Expects that the project's figures match its rows. */
export async function expectExactStats(db: Db, projectId: string, files: number): Promise<void> {
  const objects = await objectsOf(db, projectId);
  const stats = await db
    .selectFrom('project_stats')
    .select(['files_count', 'stored_bytes'])
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  const bytes = objects.reduce((sum, { deflated }) => sum + deflated.length, 0);
  expect(stats).toEqual({ files_count: files, stored_bytes: bytes });
}

/** Git reads everything that is stored as one pack, finds no fault with it, and lists the files of a branch. */
export async function filesAccordingToGit(db: Db, projectId: string, branch = 'main'): Promise<Map<string, Buffer>> {
  const objects = await objectsOf(db, projectId);
  const directory = mkdtempSync(join(tmpdir(), 'bottega-fsck-'));
  const git = (args: string[], input: Buffer | string = '') =>
    execFileSync('git', args, {
      cwd: directory,
      input,
      stdio: 'pipe',
      maxBuffer: 1 << 28,
      env: { PATH: process.env.PATH ?? '', HOME: directory, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    });
  try {
    git(['init', '--quiet', '--bare', '--initial-branch=main']);
    const packed = async function* (): AsyncGenerator<PackedObject> {
      for (const { type, size, deflated } of objects) yield { type: typeNames[type] ?? 'blob', size, deflated };
    };
    const pack = Buffer.concat(await Array.fromAsync(packStream(packed(), objects.length)));
    git(['index-pack', '--stdin', '--strict', '--fix-thin'], pack);
    // The ids are git's own, computed again from the contents.
    const known = git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)']).toString();
    const stored = objects.map(({ sha, type }) => `${hex(sha)} ${typeNames[type]}`);
    expect(known.trim().split('\n').sort()).toEqual(stored.sort());
    git(['update-ref', 'refs/heads/main', hex((await tipOf(db, projectId, branch)) ?? Buffer.alloc(20))]);
    expect(git(['fsck', '--strict', '--full', '--no-dangling', '--no-progress']).toString()).toBe('');
    const listed = git(['ls-tree', '-r', '-z', '--name-only', 'main']).toString().split('\0').filter(Boolean);
    return new Map(listed.map((path) => [`/${path}`, git(['show', `main:${path}`])]));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
