import type { Cluster, Site } from '../cluster/index.ts';
import type { Node } from '../cluster/node.ts';

/** The node that has the live texts of a project now; the first node if none has them. */
export async function ownerOf({ query, nodes }: Cluster, projectId: string): Promise<Node> {
  const [owner] = await query<{ address: string }>(
    'select address from live_owners where project_id = $1 and expires_at > now()',
    [projectId],
  );
  const [first] = nodes;
  const node = nodes.find(({ port }) => owner?.address.endsWith(`:${port}`)) ?? first;
  if (!node) throw new Error('there are no nodes');
  return node;
}

const ofService = `datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

export async function backendsOf({ query }: Cluster): Promise<number[]> {
  return (await query<{ pid: number }>(`select pid from pg_stat_activity where ${ofService}`)).map(({ pid }) => pid);
}

export async function terminateBackends({ query }: Cluster): Promise<void> {
  await query(`select pg_terminate_backend(pid) from pg_stat_activity where ${ofService}`);
}

/** Ends only the connections of the service, with or without PgBouncer. */
export const terminateService = `
  select pg_terminate_backend(pid) from pg_stat_activity where ${ofService} and application_name like 'bottega%'`;

/** Locks a row that every write to a project needs. */
export const lockProject = (projectId: string): string =>
  `select id from projects where id = '${projectId}' for update`;

/** In the service's order, each in its own transaction. Otherwise the holder of one lock would wait for another. */
export const lockTables = ['projects', 'live_texts', 'events'].map(
  (table) => `lock table ${table} in access exclusive mode`,
);

/** Locks the table that the fan-out writes to during its turn. */
export const lockFanOut = 'lock table webhook_relay in access exclusive mode';

/** Whether a fan-out is stopped halfway: its backend waits for the next statement. */
export async function isFanOutHeld({ query }: Cluster): Promise<boolean> {
  const rows = await query(
    `select from pg_locks as lock join pg_stat_activity as activity on activity.pid = lock.pid
     where lock.locktype = 'advisory' and lock.granted and lock.objid = 7316001 and activity.wait_event_type = 'Client'
       and activity.state_change < clock_timestamp() - interval '300 milliseconds'`,
  );
  return rows.length > 0;
}

/** Whether a build that began before the database was started has not ended yet. */
export async function isLostBuildOpen({ query }: Site): Promise<boolean> {
  const rows = await query(
    `select from deployments where status in ('pending', 'building') and started_at < pg_postmaster_start_time()`,
  );
  return rows.length > 0;
}

/** Whether a process waits for a lock on the table of the fan-out. */
export async function isFanOutWaiting({ query }: Cluster): Promise<boolean> {
  const rows = await query(`select from pg_locks where relation = 'webhook_relay'::regclass and not granted`);
  return rows.length > 0;
}
