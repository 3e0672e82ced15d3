import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type DeploymentRow, listSameBuilds, type SameBuild } from '../state/index.ts';

/**
 * Finds an earlier deployment whose output can be reused, because its build had the same files, settings and variables.
 * Only a pushed commit reuses output, for example that of the branch that was merged. A deployment that somebody
 * requests is always built, because its command may depend on more than the files, and that may be why it was
 * requested.
 */
export async function findSameOutput(
  { db, box }: { db: Db; box: SecretBox },
  deployment: DeploymentRow,
  variables: Record<string, string>,
): Promise<SameBuild | null> {
  if (deployment.trigger !== 'push') return null;
  const wanted = textOf(variables);
  const isSame = ({ variables_encrypted: sealed }: SameBuild) =>
    textOf(sealed ? JSON.parse(box.open(sealed)) : {}) === wanted;
  return (await listSameBuilds(db, deployment)).find(isSame) ?? null;
}

const textOf = (variables: Record<string, string>): string =>
  JSON.stringify(Object.entries(variables).sort(([one], [other]) => (one < other ? -1 : 1)));
