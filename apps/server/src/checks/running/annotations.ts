import type { CheckAnnotation } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { walkTree } from '../../repository/store/index.ts';
import { type CheckRow, maxAnnotations } from '../state/index.ts';
import type { PathOf } from './junit.ts';
import type { Said } from './workflow-commands.ts';

const longestMessage = 65_536;

/** The paths of the files that are checked. */
export async function filesOf(
  db: Db,
  { project_id, tree_sha }: Pick<CheckRow, 'project_id' | 'tree_sha'>,
): Promise<Set<string>> {
  const { files } = await walkTree(db, project_id, { tree: tree_sha, path: '', recursive: true });
  return new Set(files.map(({ path }) => path));
}

/**
 * Converts the path by which a command names a file to the path in the tree. The command's path may begin at its
 * working directory or at one of the roots. Null if the tree has no such file.
 */
export const pathsIn =
  (files: ReadonlySet<string>, roots: readonly string[]): PathOf =>
  (named) => {
    const root = roots.find((one) => named.startsWith(one));
    const path = `/${(root === undefined ? named : named.slice(root.length)).replace(/^(?:\.?\/)+/, '')}`;
    return files.has(path) ? path : null;
  };

/** The annotations about files of the tree. Those about anything else that a command may name are left out. */
export function annotationsOf(said: readonly Said[], pathOf: PathOf): CheckAnnotation[] {
  const annotations: CheckAnnotation[] = [];
  for (const one of said) {
    if (annotations.length === maxAnnotations) break;
    const path = pathOf(one.path);
    if (path !== null) annotations.push({ ...one, path, message: boundedText(one.message) });
  }
  return annotations;
}

/** Control characters other than the ends of lines are not text that a client can show. */
const boundedText = (text: string): string =>
  text
    .slice(0, longestMessage)
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd')
    .toWellFormed();
