import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { listInherited } from './variables.sql.ts';

/** The project's current variables for a deployment to this environment. */
export async function inheritedVariables(
  db: Queries,
  box: SecretBox,
  { projectId, environment }: { projectId: string; environment: string },
): Promise<Record<string, string>> {
  const inherited = await listInherited(db, projectId, environment);
  return Object.fromEntries(inherited.map(({ name, value_encrypted: sealed }) => [name, box.open(sealed)]));
}

/** A text that identifies the current values without containing them. It changes whenever one of them changes. */
export async function inheritedVersions(
  db: Queries,
  { projectId, environment }: { projectId: string; environment: string },
): Promise<string> {
  const inherited = await listInherited(db, projectId, environment);
  return JSON.stringify(inherited.map(({ id, version }) => [id, version]));
}
