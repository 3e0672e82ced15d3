import { createHash } from 'node:crypto';
import type { Db } from '../../foundation/db/index.ts';
import { walkTree } from '../../repository/store/index.ts';

/** Lock files, which fix the versions that a setup installs. */
const lockFile =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|requirements[^/]*\.txt|poetry\.lock|uv\.lock|Pipfile\.lock|go\.sum|Cargo\.lock|Gemfile\.lock|composer\.lock)$/;

/**
 * What the result of a setup depends on: its command, the project's lock files, and the kind of machine. A project
 * without a lock file has a key too, so its setup runs again only if the command changes.
 */
export async function setupKeyOf(
  db: Db,
  projectId: string,
  { setup, tree }: { setup: string; tree: Buffer | null },
): Promise<Buffer> {
  const { files } = tree === null ? { files: [] } : await walkTree(db, projectId, { tree, path: '', recursive: true });
  const locks = files
    .filter(({ path }) => lockFile.test(path))
    .map(({ path, sha }) => `${path} ${sha.toString('hex')}`)
    .sort();
  const about = [setup, process.platform, process.arch, process.version, ...locks];
  return createHash('sha256').update(JSON.stringify(about)).digest();
}
