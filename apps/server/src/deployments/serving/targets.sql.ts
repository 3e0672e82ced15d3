import { sql } from 'kysely';
import { firstRow, type Queries } from '../../foundation/db/index.ts';
import { type AppAddress, appOfLabel } from './address.ts';

/** The deployment that an address shows. */
export type Target = {
  deployment_id: string;
  project_id: string;
  artifact_id: string;
  start_command: string | null;
  spa: boolean;
  /** The domain that visitors are redirected to. */
  redirect_to?: string | null;
};

const columns = sql.raw('d.id as deployment_id, d.project_id, a.id as artifact_id, a.start_command, a.spa');

/** `retired` means that there was a preview here, but its branch was deleted or its time was over. */
export type Found = Target | 'retired';

type MaybeRetired = Target | { artifact_id: null };
const asFound = (row: MaybeRetired | undefined): Found | undefined =>
  row?.artifact_id === null ? 'retired' : (row as Target | undefined);

const deployed = sql`deployments d
  left join artifacts a on a.id = d.artifact_id
  join projects p on p.id = d.project_id and p.deleted_at is null`;
const isShown = sql`d.status = 'success' and (a.id is not null or d.retired_at is not null)`;

async function findDeployed(db: Queries, deploymentId: string): Promise<Found | undefined> {
  return asFound(
    await firstRow<MaybeRetired>(db)`
      select ${columns} from ${deployed} where d.id = ${deploymentId} and ${isShown}`,
  );
}

/** The newest preview of the branch that still exists. */
async function findOfBranch(db: Queries, label: string): Promise<Found | undefined> {
  return asFound(
    await firstRow<MaybeRetired>(db)`
      select ${columns} from ${deployed} where d.branch_label = ${label} and ${isShown}
      order by a.id is null, d.number desc limit 1`,
  );
}

/** Finds the target of an address by the kind of its key. */
export function findTarget(db: Queries, { by, key }: Pick<AppAddress, 'by' | 'key'>): Promise<Found | undefined> {
  return finders[by](db, key);
}

function findLive(db: Queries, appName: string): Promise<Target | undefined> {
  return firstRow<Target>(db)`
    select ${columns} from projects p
    join deployments d on d.id = p.live_deployment_id
    join artifacts a on a.id = d.artifact_id
    where p.app_name = ${appName} and p.deleted_at is null`;
}

/** Finds the target by a custom domain. A suspended account's domains show nothing. */
function findByDomain(db: Queries, domain: string): Promise<Target | undefined> {
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

const finders: Record<AppAddress['by'], (db: Queries, key: string) => Promise<Found | undefined>> = {
  deployment: findDeployed,
  branch: findOfBranch,
  name: findLive,
  domain: findByDomain,
};

/** The owner of the app at an address, by the first label of its host. Null if there is none. */
export async function findOwnerOf(db: Queries, label: string): Promise<string | null> {
  const app = appOfLabel(label);
  const target = app && (await findTarget(db, app));
  if (!target || target === 'retired') return null;
  const row = await firstRow<{ owner_id: string }>(db)`select owner_id from projects where id = ${target.project_id}`;
  return row?.owner_id ?? null;
}
