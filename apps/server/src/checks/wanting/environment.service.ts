import { createHash } from 'node:crypto';
import { inheritedVersions } from '../../deployments/index.ts';
import type { Queries } from '../../foundation/db/index.ts';

/** The environment whose variables trusted checks get, as builds of previews do. */
export const environmentOfChecks = 'preview';

/**
 * The digest of the environment in which a command runs. The result of a run counts for another run only if their
 * digests are the same. The digest depends on the versions of the project's variables, and not on their values, so
 * nobody can guess a value from it.
 */
export async function environmentDigest(db: Queries, projectId: string, trusted: boolean): Promise<Buffer> {
  const place = { projectId, environment: environmentOfChecks };
  const variables = trusted ? await inheritedVersions(db, place) : null;
  const [nodeMajor] = process.versions.node.split('.');
  return createHash('sha256')
    .update(JSON.stringify([nodeMajor, trusted, variables]))
    .digest();
}
