import type { Cluster, Site } from '../cluster/index.ts';
import type { Node } from '../cluster/node.ts';

/** The node that has the live texts of a project now; the first one where nobody has them. */
export async function ownerOf({ query, nodes }: Cluster, projectId: string): Promise<Node> {
  const [owner] = await query<{ address: string }>(
    'select address from live_owners where project_id = $1 and expires_at > now()',
    [projectId],
  );
  const [first] = nodes;
  const found = nodes.find(({ port }) => owner?.address.endsWith(`:${port}`)) ?? first;
  if (!found) throw new Error('there are no nodes');
  return found;
}

const ofService = `datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

export async function backendsOf({ query }: Cluster): Promise<number[]> {
  return (await query<{ pid: number }>(`select pid from pg_stat_activity where ${ofService}`)).map(({ pid }) => pid);
}

export async function terminateBackends({ query }: Cluster): Promise<void> {
  await query(`select pg_terminate_backend(pid) from pg_stat_activity where ${ofService}`);
}

/** The connections of the service alone, by whatever way they came. */
export const terminateService = `
  select pg_terminate_backend(pid) from pg_stat_activity where ${ofService} and application_name like 'bottega%'`;

/** A row that every write to a project needs. */
export const lockProject = (projectId: string): string =>
  `select id from projects where id = '${projectId}' for update`;

/** In the order of the service, and each in a transaction of its own: otherwise whoever has one waits for another of them. */
export const lockTables = ['projects', 'live_texts', 'events'].map(
  (table) => `lock table ${table} in access exclusive mode`,
);

/** What the fan-out writes to, while it has its turn. */
export const lockFanOut = 'lock table webhook_relay in access exclusive mode';

/** Whether somebody stands still in the middle of a fan-out: their backend waits for the next statement. */
export async function isFanOutHeld({ query }: Cluster): Promise<boolean> {
  const rows = await query(
    `select from pg_locks as lock join pg_stat_activity as activity on activity.pid = lock.pid
     where lock.locktype = 'advisory' and lock.granted and lock.objid = 7316001 and activity.wait_event_type = 'Client'
       and activity.state_change < clock_timestamp() - interval '300 milliseconds'`,
  );
  return rows.length > 0;
}

/** Whether a build that was begun before the database was started has not ended yet. */
export async function isLostBuildOpen({ query }: Site): Promise<boolean> {
  const rows = await query(
    `select from deployments where status in ('pending', 'building') and started_at < pg_postmaster_start_time()`,
  );
  return rows.length > 0;
}

/** Whether somebody waits for a lock on the table of the fan-out. */
export async function isFanOutWaiting({ query }: Cluster): Promise<boolean> {
  const rows = await query(`select from pg_locks where relation = 'webhook_relay'::regclass and not granted`);
  return rows.length > 0;
}
