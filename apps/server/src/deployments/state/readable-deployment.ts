import type { Queries } from '../../foundation/db/index.ts';
import { notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { projectOfMember } from '../../projects/index.ts';
import { type DeploymentRow, findDeployment } from './deployments.sql.ts';

type Which = { projectId: string; id: string };

/** Returns a deployment, only for members of the project. */
export async function readableDeployment(db: Queries, { userId }: Principal, which: Which): Promise<DeploymentRow> {
  await projectOfMember(db, which.projectId, userId);
  return mustFindDeployment(db, which);
}

export async function mustFindDeployment(db: Queries, { projectId, id }: Which): Promise<DeploymentRow> {
  const row = isId('dep', id) ? await findDeployment(db, projectId, id) : undefined;
  if (!row) throw notFound('Deployment');
  return row;
}
