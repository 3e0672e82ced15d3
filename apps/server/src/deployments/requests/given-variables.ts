import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { DeploymentRow, LastSettings, NewDeployment } from '../state/index.ts';
import { inheritedVariables, namesChangedSince } from '../variables/index.ts';

type Variables = Record<string, string>;
type Kept = Pick<NewDeployment, 'variable_names' | 'variables_encrypted' | 'own_variable_names'>;

/**
 * A deployment's variables: the project's current variables for its environment, overridden by the deployment's own.
 * The deployment stores them, so later changes of the project's variables apply only to later deployments.
 */
export async function givenVariables(
  trx: Trx,
  box: SecretBox,
  place: { projectId: string; environment: string },
  own: Variables,
): Promise<Kept> {
  const given = { ...(await inheritedVariables(trx, box, place)), ...own };
  const names = Object.keys(given).sort();
  return {
    variable_names: names,
    variables_encrypted: names.length > 0 ? box.seal(JSON.stringify(given)) : null,
    own_variable_names: Object.keys(own).sort(),
  };
}

/**
 * The variables of a deployment that sets none itself: those that the last deployment set itself, except for names that
 * have got a newer value in the project since.
 */
export async function keptVariables(
  trx: Trx,
  box: SecretBox,
  place: { projectId: string; environment: string },
  last: LastSettings | undefined,
): Promise<Variables> {
  if (!last) return {};
  const newer = await namesChangedSince(trx, place, last.created_at);
  return Object.fromEntries(Object.entries(ownVariables(box, last)).filter(([name]) => !newer.includes(name)));
}

/** The variables that an earlier deployment set itself. */
export function ownVariables(
  box: SecretBox,
  former: Pick<DeploymentRow, 'variables_encrypted' | 'own_variable_names'>,
): Variables {
  if (!former.variables_encrypted) return {};
  const given: Variables = JSON.parse(box.open(former.variables_encrypted));
  const { own_variable_names: own } = former;
  return own === null ? given : Object.fromEntries(Object.entries(given).filter(([name]) => own.includes(name)));
}
