import { AppError, conflict } from '../../foundation/http/index.ts';
import type { Blob } from './blobs.ts';
import { ancestorsOf } from './paths.ts';

/** One file at the head, as far as a change is concerned. */
export type HeadFile = {
  id: string;
  path: string;
  blobSha: Buffer;
  executable: boolean;
  size: number;
  mimeType: string;
  checksum: Buffer;
  createdAt: Date;
  updatedAt: Date;
};

export type Change =
  | {
      action: 'put';
      path: string;
      blob: Blob;
      expect: 'any' | 'new' | 'existing';
      /** Of a new file; one that is there keeps its own. */
      executable?: boolean;
    }
  | { action: 'delete'; path: string }
  | { action: 'move'; path: string; newPath: string }
  /** A directory, beside the deletion of its files: what only git knows of goes from its tree too. */
  | { action: 'clear'; path: string }
  /** A directory, beside the moves of its files: its row and those below go along, so that their ids stay. */
  | { action: 'rename'; path: string; newPath: string };

/** What is at the paths that the changes touch, and above them. */
export type Head = { files: ReadonlyMap<string, HeadFile>; directories: ReadonlySet<string> };

export type Placed = { before: HeadFile | null; path: string; blob: Blob | null; executable?: boolean };

/** What the changes come to, once each has been applied to what the former ones left. */
export type Outcome = {
  /** By final path: the file that was there or comes from elsewhere, and its new content if it has any. */
  placed: Placed[];
  deleted: HeadFile[];
  /** Every touched path: where something is now, and where nothing is any more. */
  touched: string[];
};

/** All paths of which a change needs to know what is there. */
export function pathsOf(changes: readonly Change[]): string[] {
  return changes.flatMap((change) => {
    if (change.action === 'rename') return [];
    return change.action === 'move' ? [change.path, change.newPath] : [change.path];
  });
}

/**
 * Applies the changes in order to a small picture of the head. Pure: it only says what would be. A change that cannot
 * be made refuses all of them.
 */
export function applyChanges(head: Head, changes: readonly Change[]): Outcome {
  const picture = new Map<string, Placed>();
  for (const file of head.files.values()) picture.set(file.path, { before: file, path: file.path, blob: null });
  const directories = new Set(head.directories);

  function mustBeFree(path: string): void {
    if (picture.has(path)) throw conflict(`There is a file at ${path} already`);
    if (directories.has(path)) throw conflict(`${path} is a directory`);
    mustBeReachable(path);
  }
  function mustBeReachable(path: string): void {
    const file = ancestorsOf(path).find((directory) => picture.has(directory));
    if (file !== undefined) throw conflict(`${file} is a file, so nothing can be below it`);
  }
  function place(placed: Placed): void {
    picture.set(placed.path, placed);
    for (const directory of ancestorsOf(placed.path)) directories.add(directory);
  }
  function mustExist(path: string): Placed {
    const placed = picture.get(path);
    if (!placed) throw new AppError('NOT_FOUND', `There is no file at ${path}`);
    return placed;
  }

  for (const change of changes) {
    if (change.action === 'delete') {
      mustExist(change.path);
      picture.delete(change.path);
    } else if (change.action === 'move') {
      const placed = mustExist(change.path);
      if (change.newPath === change.path) throw conflict(`${change.path} is there already`);
      picture.delete(change.path);
      mustBeFree(change.newPath);
      place({ ...placed, path: change.newPath });
    } else if (change.action === 'put') {
      if (change.expect === 'existing') mustExist(change.path);
      if (change.expect === 'new' || !picture.has(change.path)) mustBeFree(change.path);
      const { path, blob, executable = false } = change;
      place({ before: picture.get(path)?.before ?? null, path, blob, executable });
    }
  }
  return outcomeOf(head, changes, picture);
}

function outcomeOf(head: Head, changes: readonly Change[], picture: Map<string, Placed>): Outcome {
  const touched = [...new Set(pathsOf(changes))];
  const kept = new Set([...picture.values()].map((placed) => placed.before?.id));
  return {
    placed: touched.flatMap((path) => picture.get(path) ?? []),
    deleted: touched.flatMap((path) => head.files.get(path) ?? []).filter((file) => !kept.has(file.id)),
    touched,
  };
}
