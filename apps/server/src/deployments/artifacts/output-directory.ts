import { normalize } from 'node:path';
import { BuildProblem } from '../state/index.ts';

/** Directories in which builds usually leave their output. */
export const usualDirectories = ['dist', 'build', 'out', 'public'];

/** Normalizes the path of a directory below the root. Empty for the root itself. */
export function namedDirectory(named: string): string {
  const name = normalize(named).replaceAll(/^\/+|\/+$/g, '');
  if (name === '..' || name.startsWith('../')) {
    throw new BuildProblem('nothing_to_serve', 'The output directory is outside the project');
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names are printed line by line.
  if (/[\u0000-\u001f]/.test(name))
    throw new BuildProblem('nothing_to_serve', 'The output directory has an invalid name');
  return name === '.' ? '' : name;
}

/**
 * The directory to serve for a project without a build: the named one, or otherwise the root or a usual directory with
 * an index page.
 */
export function pickDirectory(paths: ReadonlySet<string>, named: string | null): string {
  if (named === null) {
    const directory = ['', ...usualDirectories].find((name) => paths.has(`${name && '/'}${name}/index.html`));
    if (directory !== undefined) return directory;
    throw new BuildProblem('nothing_to_serve', 'There is nothing to serve: no build command and no index.html');
  }
  const name = namedDirectory(named);
  for (const path of paths) if (name === '' || path.startsWith(`/${name}/`)) return name;
  throw noDirectory(name);
}

export const noDirectory = (name: string) =>
  new BuildProblem('nothing_to_serve', `The directory ${name} does not exist`);

export const noPage = () =>
  new BuildProblem(
    'nothing_to_serve',
    `The build created no index.html in ${usualDirectories.join(', ')} or the root; set the output directory in bottega.json`,
  );
