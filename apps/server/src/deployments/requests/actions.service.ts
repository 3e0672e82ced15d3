import { type Deployment, reasonSentence } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { conflict, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { lockWritableProject, writableProject } from '../../projects/index.ts';
import { reapOrphans } from '../builds/index.ts';
import { appendLogLine, logOfDeployment } from '../logs/index.ts';
import {
  type Addresses,
  appendFailed,
  asDeployment,
  type Bell,
  BuildProblem,
  type DeploymentRow,
  endOrphan,
  findDeployment,
  handOver,
  liveNames,
  lockDeployment,
  pointLive,
  requestCancel,
} from '../state/index.ts';

export type Actions = {
  db: Db;
  addresses: Addresses;
  bell: Bell;
  /** Starts a server app and waits until it is healthy. Throws with a readable reason if it does not become healthy. */
  bringUp: (deploymentId: string) => Promise<void>;
};
type Which = { projectId: string; id: string };

const lookEveryMs = 200;

/**
 * Cancels a deployment. Responds once no process of its build is left. A dead worker cannot confirm that. In this case,
 * its lease has to expire, and then this function ends the build.
 */
export async function cancelDeployment(actions: Actions, principal: Principal, which: Which): Promise<Deployment> {
  const { db, addresses, bell } = actions;
  const isOver = await transaction(db, (trx) => beginCancel(trx, principal, which, addresses));
  bell.ring(which.id);
  bell.ring('queue');
  for (;;) {
    const row = await findDeployment(db, which.projectId, which.id);
    if (!row) throw notFound('Deployment');
    if (row.status === 'canceled') return asDeployment(row, addresses);
    if (isOver || (row.status !== 'building' && row.status !== 'pending')) throw ended(row.status);
    await bell.wait(which.id, lookEveryMs);
    await reapOrphans(db, addresses, bell);
  }
}

async function beginCancel(trx: Trx, { userId }: Principal, which: Which, addresses: Addresses): Promise<boolean> {
  await lockWritableProject(trx, which.projectId, userId);
  const row = isId('dep', which.id) ? await lockDeployment(trx, which.projectId, which.id) : undefined;
  if (!row) throw notFound('Deployment');
  if (row.status !== 'pending' && row.status !== 'building') throw ended(row.status);
  if (row.status === 'building') {
    await requestCancel(trx, row.id);
    return false;
  }
  const error = { type: 'canceled', message: reasonSentence('deployment_canceled_early'), exit_code: null } as const;
  const canceled = await endOrphan(trx, row.id, { status: 'canceled', error });
  await appendLogLine(trx, logOfDeployment(row.id), 'warn', error.message);
  await appendFailed(trx, canceled, { addresses, source: null });
  return true;
}

const ended = (status: string) => conflict(`The deployment has already ended: ${status}`);

/** Makes another deployment live. Promote and rollback do the same: the live address shows another stored artifact. */
export async function makeLive(actions: Actions, principal: Principal, which: Which): Promise<Deployment> {
  const { db, addresses, bringUp } = actions;
  await writableProject(db, which.projectId, principal.userId);
  const wanted = isId('dep', which.id) ? await findDeployment(db, which.projectId, which.id) : undefined;
  if (!wanted) throw notFound('Deployment');
  if (wanted.status !== 'success')
    throw conflict(`Only a successful deployment can go live; this one is ${wanted.status}`);
  mustHaveArtifact(wanted);
  await bringUp(which.id).catch((error: unknown) => {
    throw error instanceof BuildProblem ? conflict(error.message) : error;
  });
  return transaction(db, async (trx) => {
    const project = await lockWritableProject(trx, which.projectId, principal.userId);
    await handOver(trx, project.id, which.id);
    await pointLive(trx, project.id, which.id, liveNames(project));
    const row = await findDeployment(trx, which.projectId, which.id);
    if (!row) throw notFound('Deployment');
    mustHaveArtifact(row);
    return asDeployment(row, addresses);
  });
}

/**
 * Throws if the artifact is gone. It is checked again with the project locked, because a purge may have run in between.
 */
function mustHaveArtifact({ artifact_id }: DeploymentRow): void {
  if (artifact_id === null) throw conflict('The files of this deployment were purged; redeploy it instead');
}
