import { appendEvent } from '../../events/index.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { recordAudit } from '../../identity/audit/index.ts';
import type { WritableProject } from '../../projects/index.ts';
import type { VariableRow } from './variables.sql.ts';

/** Appends an event and an entry in the owner's audit log. They contain who changed what, but never a value. */
export async function tellChanged(
  trx: Trx,
  project: WritableProject,
  { row, deleted }: { row: VariableRow; deleted: boolean },
  cause: Cause,
): Promise<void> {
  const { id, name, kind, environments, version, updated_at } = row;
  const { name: actor, email, username } = project.actor;
  const data = {
    variable_id: id,
    project_id: project.id,
    project_name: project.name,
    ...{ name, kind, environments, version, deleted },
    updated_at: updated_at.toISOString(),
    updated_by: { name: actor, email, username },
  };
  await appendEvent(trx, { type: 'variable.updated', accountId: project.owner_id, projectId: project.id, data }, cause);
  const action = deleted ? 'variable.deleted' : 'variable.set';
  const details = { project_id: project.id, name, kind, environments, version };
  await recordAudit(trx, { action, accountId: project.owner_id, subjectId: id, details }, cause);
}
