import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type DeploymentRow, listSameBuilds, type SameBuild } from '../state/index.ts';

/**
 * An earlier deployment with the output of the same build: the same files, settings and variables. A pushed commit
 * takes that output, such as the one of the branch that was merged. A deployment that somebody asks for is always built,
 * because its command may read more than the files, and it is asked for because of that.
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
