import { normalize } from 'node:path';
import { reasonSentence } from '@bottega/contract';
import { BuildProblem } from '../state/index.ts';

/** Directories in which builds usually leave their output. */
export const usualDirectories = ['dist', 'build', 'out', 'public'];

/** Normalizes the path of a directory below the root. Empty for the root itself. */
export function namedDirectory(named: string): string {
  const name = normalize(named).replaceAll(/^\/+|\/+$/g, '');
  if (name === '..' || name.startsWith('../')) {
    throw new BuildProblem('nothing_to_serve', reasonSentence('output_outside'));
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names are printed line by line.
  if (/[\u0000-\u001f]/.test(name)) throw new BuildProblem('nothing_to_serve', reasonSentence('output_name_invalid'));
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
    throw new BuildProblem('nothing_to_serve', reasonSentence('nothing_to_serve'));
  }
  const name = namedDirectory(named);
  for (const path of paths) if (name === '' || path.startsWith(`/${name}/`)) return name;
  throw noDirectory(name);
}

export const noDirectory = (name: string) =>
  new BuildProblem('nothing_to_serve', reasonSentence('output_missing', { directory: name }));

export const noPage = () =>
  new BuildProblem('nothing_to_serve', reasonSentence('no_index_page', { directories: usualDirectories.join(', ') }));
