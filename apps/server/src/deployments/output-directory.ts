import { lstat, readdir } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { BuildProblem } from './build-problem.ts';

const usual = ['dist', 'build', 'out', 'public'];

/**
 * What is to be served: the directory that was named, else the first of the usual ones with a page in it, else the root
 * of a plain site. Before a build the root comes first, since nothing can have been made yet.
 */
export async function findOutput(
  workspace: string,
  { named, isBuilt }: { named: string | null; isBuilt: boolean },
): Promise<string> {
  if (named !== null) return namedDirectory(workspace, named);
  const inOrder = isBuilt ? [...usual, ''] : ['', ...usual];
  for (const name of inOrder) if (await isFile(join(workspace, name, 'index.html'))) return name;
  const reason = isBuilt
    ? `The build left no index.html in ${usual.join(', ')} or the root; name the output directory in bottega.json`
    : 'There is nothing to serve: no build command, and no index.html';
  throw new BuildProblem('nothing_to_serve', reason);
}

async function namedDirectory(workspace: string, named: string): Promise<string> {
  const name = normalize(named).replaceAll(/^\/+|\/+$/g, '');
  if (name === '..' || name.startsWith('../')) {
    throw new BuildProblem('nothing_to_serve', 'The output directory is outside of the project');
  }
  // A link on the way could lead out of the workspace, and here it would be followed by the service itself.
  let path = workspace;
  for (const part of name === '.' || name === '' ? [] : name.split('/')) {
    path = join(path, part);
    const found = await lstat(path).catch(() => null);
    if (!found?.isDirectory()) throw new BuildProblem('nothing_to_serve', `There is no directory ${name} to serve`);
  }
  if ((await readdir(path)).length === 0) throw new BuildProblem('nothing_to_serve', `The directory ${name} is empty`);
  return name === '.' ? '' : name;
}

async function isFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() ?? false;
}
