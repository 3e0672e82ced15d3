import { sql } from 'kysely';
import { firstRow, type Queries } from '../../foundation/db/index.ts';
import { appOfLabel } from './address.ts';

/** What an address shows. */
export type Target = {
  deployment_id: string;
  project_id: string;
  artifact_id: string;
  start_command: string | null;
  spa: boolean;
  /** The domain that visitors are sent to instead. */
  redirect_to?: string | null;
};

const columns = sql.raw('d.id as deployment_id, d.project_id, a.id as artifact_id, a.start_command, a.spa');

export function findDeployed(db: Queries, deploymentId: string): Promise<Target | undefined> {
  return firstRow<Target>(db)`
    select ${columns} from deployments d
    join artifacts a on a.id = d.artifact_id
    join projects p on p.id = d.project_id
    where d.id = ${deploymentId} and d.status = 'success' and p.deleted_at is null`;
}

export function findLive(db: Queries, appName: string): Promise<Target | undefined> {
  return firstRow<Target>(db)`
    select ${columns} from projects p
    join deployments d on d.id = p.live_deployment_id
    join artifacts a on a.id = d.artifact_id
    where p.app_name = ${appName} and p.deleted_at is null`;
}

/** By a name of the project's own. An account that is suspended shows nothing in its own name. */
export function findByDomain(db: Queries, domain: string): Promise<Target | undefined> {
  return firstRow<Target>(db)`
    select ${columns}, other.domain as redirect_to from domains m
    join projects p on p.id = m.project_id
    join users u on u.id = p.owner_id
    join deployments d on d.id = p.live_deployment_id
    join artifacts a on a.id = d.artifact_id
    left join domains other on other.project_id = m.project_id and other.domain = m.redirect_to
      and other.state in ('verified', 'active')
    where m.domain = ${domain} and m.state in ('verified', 'active')
      and p.deleted_at is null and u.suspended_at is null`;
}

/** Whose app is at an address, by the first label of its host; null where none is. */
export async function findOwnerOf(db: Queries, label: string): Promise<string | null> {
  const app = appOfLabel(label);
  const target = app && (await (app.by === 'deployment' ? findDeployed(db, app.key) : findLive(db, app.key)));
  if (!target) return null;
  const row = await firstRow<{ owner_id: string }>(db)`select owner_id from projects where id = ${target.project_id}`;
  return row?.owner_id ?? null;
}
