import { AppError, conflict } from '../../foundation/http/index.ts';
import type { Blob } from './blobs.ts';
import { ancestorsOf } from './paths.ts';

/** A file at the head, with the values that changes use. */
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

/** The checksum that the file must have before all changes. Otherwise the whole commit is refused. */
type Expected = { expectedChecksum?: Buffer };

export type Change =
  | (Expected & {
      action: 'put';
      path: string;
      blob: Blob;
      expect: 'any' | 'new' | 'existing';
      /** For a new file. An existing file keeps its own value. */
      executable?: boolean;
    })
  | (Expected & { action: 'delete'; path: string })
  | (Expected & { action: 'move'; path: string; newPath: string })
  /** Accompanies the deletion of a directory's files. Entries without rows are removed from its tree too. */
  | { action: 'clear'; path: string }
  /**
   * Accompanies the moves of a directory's files. The rows of the directory and of those below it move too, so that
   * they keep their ids.
   */
  | { action: 'rename'; path: string; newPath: string };

/** The entries at and above the paths that the changes touch. */
export type Head = {
  files: ReadonlyMap<string, HeadFile>;
  directories: { has(path: string): boolean };
};

export type Placed = { before: HeadFile | null; path: string; blob: Blob | null; executable?: boolean };

/** The result of all changes, each applied to the result of those before. */
export type Outcome = {
  /** By final path: the file that was there or was moved there, and its new content if it has one. */
  placed: Placed[];
  deleted: HeadFile[];
  /** All touched paths, whether something is there now or not. */
  touched: string[];
};

/** All paths whose current entry a change needs. */
export function pathsOf(changes: readonly Change[]): string[] {
  return changes.flatMap((change) => {
    if (change.action === 'rename') return [];
    return change.action === 'move' ? [change.path, change.newPath] : [change.path];
  });
}

/** The result at each touched path. Null if nothing is there any more. */
type Picture = Map<string, Placed | null>;

/**
 * Applies the changes in order to a small picture of the head, without side effects. If one change is not possible, all
 * of them are refused.
 */
export function applyChanges(head: Head, changes: readonly Change[]): Outcome {
  const picture: Picture = new Map();
  const added = new Set<string>();
  const isDirectory = (path: string) => added.has(path) || head.directories.has(path);

  function at(path: string): Placed | null {
    const placed = picture.get(path);
    if (placed !== undefined) return placed;
    const before = head.files.get(path);
    return before ? { before, path, blob: null } : null;
  }
  function mustBeFree(path: string): void {
    if (at(path)) throw conflict(`A file already exists at ${path}`);
    if (isDirectory(path)) throw conflict(`${path} is a directory`);
    mustBeReachable(path);
  }
  function mustBeReachable(path: string): void {
    const file = ancestorsOf(path).find(at);
    if (file !== undefined) throw conflict(`${file} is a file, not a directory`);
  }
  function place(placed: Placed): void {
    picture.set(placed.path, placed);
    for (const directory of ancestorsOf(placed.path)) added.add(directory);
  }
  function mustExist(path: string): Placed {
    const placed = at(path);
    if (!placed) throw new AppError('NOT_FOUND', `There is no file at ${path}`);
    return placed;
  }

  for (const change of changes) {
    mustBeAsExpected(head, change);
    if (change.action === 'delete') {
      mustExist(change.path);
      picture.set(change.path, null);
    } else if (change.action === 'move') {
      const placed = mustExist(change.path);
      if (change.newPath === change.path) throw conflict(`${change.path} already exists`);
      picture.set(change.path, null);
      mustBeFree(change.newPath);
      place({ ...placed, path: change.newPath });
    } else if (change.action === 'put') {
      if (change.expect === 'existing') mustExist(change.path);
      const present = at(change.path);
      if (change.expect === 'new' || !present) mustBeFree(change.path);
      const { path, blob, executable = false } = change;
      place({ before: present?.before ?? null, path, blob, executable });
    }
  }
  return outcomeOf(head, changes, at);
}

function mustBeAsExpected({ files }: Head, change: Change): void {
  if (!('expectedChecksum' in change) || !change.expectedChecksum) return;
  if (files.get(change.path)?.checksum.equals(change.expectedChecksum)) return;
  const details = { path: change.path };
  throw new AppError('CONFLICT', `${change.path} does not have the expected checksum`, { status: 412, details });
}

/** The result of the changes. Every file that moved is at a touched path. */
function outcomeOf(head: Head, changes: readonly Change[], at: (path: string) => Placed | null): Outcome {
  const touched = [...new Set(pathsOf(changes))];
  const placed = touched.flatMap((path) => at(path) ?? []);
  const kept = new Set(placed.map(({ before }) => before?.id));
  return {
    placed,
    deleted: touched.flatMap((path) => head.files.get(path) ?? []).filter((file) => !kept.has(file.id)),
    touched,
  };
}
