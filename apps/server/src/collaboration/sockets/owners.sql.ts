import { sql } from 'kysely';
import { firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';

export type Node = { id: string; address: string };
export type Lease = { node_id: string; address: string; epoch: number };

/** True where the node was not known, or had been forgotten. Those that are long dead are forgotten with their sockets. */
export async function beat(db: Queries, { id, address }: Node): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    with forgotten as (delete from live_nodes where beat_at < now() - interval '1 minute' and id <> ${id})
    insert into live_nodes (id, address) values (${id}, ${address})
    on conflict (id) do update set beat_at = now(), address = excluded.address
    returning xmax = 0 as is_new`.execute(db);
  return rows[0]?.is_new ?? false;
}

/** Those that have given a sign of life lately, this one among them. */
export async function listNodes(db: Queries, seconds: number): Promise<Node[]> {
  const { rows } = await sql<Node>`
    select id, address from live_nodes where beat_at > now() - make_interval(secs => ${seconds})`.execute(db);
  return rows;
}

export async function forgetNode(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('live_owners').where('node_id', '=', id).execute();
  await db.deleteFrom('live_nodes').where('id', '=', id).execute();
}

/**
 * Ours, unless another node's lease still runs; then that one. Nothing: somebody took it in this very moment, and the
 * snapshot of this statement does not show whom.
 */
export function takeLease(
  db: Queries,
  projectId: string,
  { node, seconds }: { node: Node; seconds: number },
): Promise<Lease | undefined> {
  return firstRow<Lease>(db)`
    with taken as (
      insert into live_owners (project_id, node_id, address, expires_at)
      values (${projectId}, ${node.id}, ${node.address}, now() + make_interval(secs => ${seconds}))
      on conflict (project_id) do update
        set node_id = excluded.node_id, address = excluded.address, epoch = excluded.epoch,
          expires_at = excluded.expires_at
        where live_owners.expires_at < now() or live_owners.node_id = excluded.node_id
      returning node_id, address, epoch)
    select node_id, address, epoch from taken
    union all
    select node_id, address, epoch from live_owners
    where project_id = ${projectId} and not exists (select from taken)`;
}

/** Those that are still ours, also where the lease has run out and nobody came: then nobody wrote meanwhile. */
export async function renewLeases(
  db: Queries,
  nodeId: string,
  { projectIds, epochs, seconds }: { projectIds: string[]; epochs: number[]; seconds: number },
): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    update live_owners o set expires_at = now() + make_interval(secs => ${seconds})
    from unnest(${projectIds}::text[], ${epochs}::bigint[]) as held(project_id, epoch)
    where o.project_id = held.project_id and o.epoch = held.epoch and o.node_id = ${nodeId}
    returning o.project_id`.execute(db);
  return rows.map((row) => row.project_id);
}

export async function releaseLease(db: Queries, projectId: string, epoch: number): Promise<void> {
  await sql`delete from live_owners where project_id = ${projectId} and epoch = ${epoch}`.execute(db);
}

/** Whoever wants to take it over waits for this transaction; the owner, who renews its lease, does not. */
export async function holdLease(trx: Trx, projectId: string, epoch: number): Promise<boolean> {
  const { rows } = await sql`
    select from live_owners where project_id = ${projectId} and epoch = ${epoch} for key share`.execute(trx);
  return rows.length > 0;
}

/** Which node has each of these now; none where nobody's lease runs. */
export async function findOwners(db: Queries, projectIds: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ project_id: string; node_id: string }>`
    select project_id, node_id from live_owners
    where project_id = any(${projectIds}::text[]) and expires_at > now()`.execute(db);
  return new Map(rows.map((row) => [row.project_id, row.node_id]));
}
