import type { Project } from '@bottega/contract';
import { appendEvent } from '../events/index.ts';
import type { PlanLimits } from '../foundation/config/index.ts';
import type { Trx } from '../foundation/db/index.ts';
import { type Cause, forbidden, type Principal } from '../foundation/http/index.ts';
import { projectEventData } from './projects.events.ts';
import { listProjectFor, lockOwnedProjects, relistProject } from './projects.listing.sql.ts';
import { mustHaveRoom } from './projects.room.ts';
import { findProjectStats, type ProjectToWrite, setOwner } from './projects.sql.ts';
import { mustHaveStorage } from './projects.storage.ts';
import { asProject } from './projects.view.ts';

type NewOwner = { principal: Principal; limits: PlanLimits; cause: Cause };

/**
 * Makes the caller, who is the actor of the locked project, its owner. From now on, the caller's plan sets its limits,
 * so the whole project has to fit into that plan. The old owner stays in the listing, because they become a
 * collaborator.
 */
export async function changeOwner(
  trx: Trx,
  before: ProjectToWrite,
  { principal, limits, cause }: NewOwner,
): Promise<Project> {
  const { actor } = before;
  // The lock is taken because two concurrent acceptances would not count each other's bytes.
  await lockOwnedProjects(trx, actor.id);
  await mustHaveRoom(trx, principal, limits);
  await mustFit(trx, before.id, { principal, limits });
  const after: ProjectToWrite = {
    ...before,
    owner_id: actor.id,
    owner_name: actor.name,
    owner_email: actor.email,
    owner_username: actor.username,
    updated_at: await setOwner(trx, before.id, actor.id),
  };
  await relistProject(trx, after);
  // If two owners exchange projects at the same time, both transactions lock the counters of both users. The order is
  // always the same, so that they do not deadlock.
  for (const userId of [before.owner_id, actor.id].sort()) {
    await listProjectFor(trx, after, { userId, owned: userId === actor.id });
  }
  const changes = {
    'owner.id': { from: before.owner_id, to: after.owner_id },
    'owner.name': { from: before.owner_name, to: after.owner_name },
    'owner.email': { from: before.owner_email, to: after.owner_email },
  };
  const data = { ...projectEventData(after), changes };
  await appendEvent(trx, { type: 'project.updated', accountId: actor.id, projectId: before.id, data }, cause);
  return asProject(after);
}

async function mustFit(trx: Trx, id: string, { principal, limits }: Omit<NewOwner, 'cause'>): Promise<void> {
  const { plan } = principal;
  const { files_count: files, stored_bytes, artifact_bytes, live_bytes } = await findProjectStats(trx, id);
  if (limits.files !== null && files > limits.files) {
    throw forbidden(`The ${plan} plan allows ${limits.files} files per project`);
  }
  await mustHaveStorage(trx, principal, limits, stored_bytes + artifact_bytes + live_bytes);
}
