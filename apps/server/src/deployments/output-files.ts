import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { BuildProblem } from './build-problem.ts';

/** A file to be kept: where it is on disk, and its path in what is served. */
export type OutputFile = { path: string; place: string; kind: 'file' | 'executable' | 'link'; size: number };

type Rules = {
  /** Of a server app everything is kept, links as links; of a site only what a browser may ask for. */
  isServer: boolean;
  mostBytes: number;
  mostFiles: number;
};

/**
 * Everything below the output directory. The build is over and nothing changes any more, but what it left is not
 * trusted: a link that leads out of the directory is left out, and devices and sockets are not files.
 */
export async function listOutput(root: string, rules: Rules): Promise<OutputFile[]> {
  const base = await realpath(root);
  const found: OutputFile[] = [];
  let bytes = 0;
  async function walk(directory: string, path: string): Promise<void> {
    for (const name of (await readdir(directory)).sort()) {
      if (!rules.isServer && isHidden(path, name)) continue;
      const place = join(directory, name);
      const at = `${path}/${name}`;
      if (!isText(at)) continue;
      const status = await lstat(place);
      if (status.isDirectory()) await walk(place, at);
      else if (status.isSymbolicLink()) await addLink(place, at);
      else if (status.isFile())
        add({ path: at, place, kind: status.mode & 0o100 ? 'executable' : 'file', size: status.size });
    }
  }

  async function addLink(place: string, path: string): Promise<void> {
    const target = await realpath(place).catch(() => null);
    if (target === null || !(target === base || target.startsWith(base + sep))) return;
    if (rules.isServer) {
      const text = relative(join(place, '..'), target);
      // An absolute link within the workspace would point elsewhere on the next machine.
      return add({ path, place: text || (await readlink(place)), kind: 'link', size: Buffer.byteLength(text) });
    }
    const status = await lstat(target);
    if (status.isFile()) add({ path, place: target, kind: 'file', size: status.size });
  }

  function add(file: OutputFile): void {
    bytes += file.size;
    found.push(file);
    if (bytes > rules.mostBytes)
      throw new BuildProblem('too_large', `The output has more than ${rules.mostBytes} bytes`);
    if (found.length > rules.mostFiles) {
      throw new BuildProblem('too_large', `The output has more than ${rules.mostFiles} files`);
    }
  }

  await walk(base, '');
  return found;
}

/** Not for the public: what tools keep beside a site. `.well-known` is. */
function isHidden(path: string, name: string): boolean {
  if (name.startsWith('.')) return name !== '.well-known' || path !== '';
  return path === '' && (name === 'node_modules' || name === 'bottega.json');
}

/** A name that is not text cannot be asked for, and PostgreSQL cannot keep it. */
const isText = (path: string): boolean => !path.includes('\ufffd') && path.length <= 2_000;
