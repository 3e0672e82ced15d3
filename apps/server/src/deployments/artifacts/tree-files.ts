import type { Db } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import { readObjects, walkTree } from '../../repository/store/index.ts';
import { BuildProblem } from '../state/index.ts';
import type { Output, Wanted } from './collect.service.ts';
import { pickDirectory } from './output-directory.ts';
import type { OutputEntry } from './output-entries.ts';
import { pieceBytes } from './tar-entries.ts';

type Tree = { projectId: string; tree: Buffer };
type TreeFile = { path: string; mode: number; sha: Buffer };

const executable = 0o100755;

/** The output of a project without a build: its files, read from the tree without a directory or a sandbox. */
export async function treeOutput(db: Db, { projectId, tree }: Tree, { named, isServer }: Wanted): Promise<Output> {
  const { files } = await walkTree(db, projectId, { tree, path: '', recursive: true });
  const name = isServer && named === null ? '' : pickDirectory(new Set(files.map(({ path }) => path)), named);
  const above = name === '' ? '' : `/${name}`;
  const below = files.filter(({ path }) => path.startsWith(`${above}/`));
  return { name, root: '', entries: entriesOf(db, projectId, below, above.length) };
}

/** Each content is read once, however many names it has. */
async function* entriesOf(db: Db, projectId: string, files: TreeFile[], cut: number): AsyncGenerator<OutputEntry> {
  const places = Map.groupBy(files, ({ sha }) => sha.toString('hex'));
  const shas = files.map(({ sha }) => sha);
  let count = 0;
  for await (const blob of readObjects(db, projectId, shas, { type: 'blob' })) {
    for (const { path, mode } of places.get(blob.sha.toString('hex')) ?? []) {
      const kind = mode === executable ? 'executable' : 'file';
      yield { kind, path: path.slice(cut), size: blob.size, content: () => piecesOf(blob) };
      count++;
    }
  }
  if (count < files.length) throw new Error(`the content of ${files.length - count} files is not stored`);
}

async function* piecesOf({ deflated, size }: { deflated: Buffer; size: number }): AsyncGenerator<Buffer> {
  const content = await inflateObjectAsync(deflated, size);
  for (let from = 0; from < size; from += pieceBytes) yield content.subarray(from, from + pieceBytes);
}

/** A file at the root as text. Null if it does not exist. */
export async function readRootFile(
  db: Db,
  { projectId, tree }: Tree,
  { name, maxBytes }: { name: string; maxBytes: number },
): Promise<string | null> {
  const { files } = await walkTree(db, projectId, { tree, path: '', recursive: false });
  const file = files.find(({ path }) => path === `/${name}`);
  if (!file) return null;
  for await (const { deflated, size } of readObjects(db, projectId, [file.sha], { type: 'blob', largest: maxBytes })) {
    return (await inflateObjectAsync(deflated, size)).toString();
  }
  throw new BuildProblem('bad_project_file', `${name} has more than ${maxBytes} bytes`);
}
