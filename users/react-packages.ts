import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const directory = join(import.meta.dirname, '../node_modules');
const wanted = ['vite', '@vitejs/plugin-react', 'react', 'react-dom'];
const largestArchive = 256 * 2 ** 20;

type Package = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };

/** Null for an optional package of another kind of machine. */
const readPackage = (name: string): Promise<Package | null> =>
  readFile(join(directory, name, 'package.json'), 'utf8').then(
    (text) => JSON.parse(text) as Package,
    () => null,
  );

/** Names of these packages and of everything that they need. */
async function closure(names: string[]): Promise<string[]> {
  const found = new Set<string>();
  for (let next = names; next.length > 0; ) {
    const read = await Promise.all(next.map(async (name) => ({ name, content: await readPackage(name) })));
    const present = read.filter(({ content }) => content !== null);
    for (const { name } of present) found.add(name);
    const needed = present.flatMap(({ content }) =>
      Object.keys({ ...content?.dependencies, ...content?.optionalDependencies }),
    );
    next = [...new Set(needed)].filter((name) => !found.has(name));
  }
  return [...found];
}

/** The packages of a React project as `npm install` puts them into node_modules, in a compressed archive. */
export async function reactPackages(): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: largestArchive } as const;
  const args = ['-cz', '-C', directory, '.bin/vite', ...(await closure(wanted))];
  return (await promisify(execFile)('tar', args, options)).stdout;
}
