import { createHash } from 'node:crypto';
import { inheritedVersions } from '../../deployments/index.ts';
import type { Queries } from '../../foundation/db/index.ts';

/** The environment whose variables trusted checks get, as builds of previews do. */
export const environmentOfChecks = 'preview';

/**
 * The digest of what a command finds around it. A result holds for another run only if this is the same. It contains
 * which variables the project has, and not their values, which nobody can guess from it.
 */
export async function environmentDigest(db: Queries, projectId: string, trusted: boolean): Promise<Buffer> {
  const place = { projectId, environment: environmentOfChecks };
  const variables = trusted ? await inheritedVersions(db, place) : null;
  const [nodeMajor] = process.versions.node.split('.');
  return createHash('sha256')
    .update(JSON.stringify([nodeMajor, trusted, variables]))
    .digest();
}
