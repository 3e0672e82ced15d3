import { sql } from 'kysely';
import { firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';

/**
 * The version of live editing on this node. It is increased for each feature that nodes of earlier versions lack.
 * Version 1 added sessions on any branch.
 */
const liveVersion = 1;

export type Node = { id: string; address: string };
export type Lease = { node_id: string; address: string; epoch: number };

/**
 * Writes a heartbeat. True if the node was not known, or had been deleted. Nodes that have been dead for long are
 * deleted with their sockets.
 */
export async function beat(db: Queries, { id, address }: Node): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    with forgotten as (delete from live_nodes where beat_at < now() - interval '1 minute' and id <> ${id})
    insert into live_nodes (id, address, version) values (${id}, ${address}, ${liveVersion})
    on conflict (id) do update set beat_at = now(), address = excluded.address, version = excluded.version
    returning xmax = 0 as is_new`.execute(db);
  return rows[0]?.is_new ?? false;
}

/** Nodes with a recent heartbeat, this one among them. */
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
 * Whether a lease is over. While PostgreSQL was down, no node could renew its lease, so owners get some seconds to
 * renew theirs after its start. Otherwise, a client that waits at another node would make that node the owner, and text
 * that was typed meanwhile but not stored would be lost.
 */
const isOver = sql`greatest(live_owners.expires_at, pg_postmaster_start_time() + interval '5 seconds') < now()`;

/**
 * Takes the lease, or returns the other node that holds it. Undefined if another node has just taken it and this
 * statement's snapshot does not show which one.
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
        where ${isOver} or live_owners.node_id = excluded.node_id
      returning node_id, address, epoch)
    select node_id, address, epoch from taken
    union all
    select node_id, address, epoch from live_owners
    where project_id = ${projectId} and not exists (select from taken)`;
}

/**
 * Renews leases, and returns those that this node still holds. An expired lease is renewed too if no other node has
 * taken it, because nobody wrote meanwhile.
 */
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

/** Keeps another node from taking over until the transaction ends. The owner can still renew its lease. */
export async function holdLease(trx: Trx, projectId: string, epoch: number): Promise<boolean> {
  const { rows } = await sql`
    select from live_owners where project_id = ${projectId} and epoch = ${epoch} for key share`.execute(trx);
  return rows.length > 0;
}

/** The node that has the project's live texts, if its lease has not expired. */
export function findOwnerNode(db: Queries, projectId: string): Promise<Node | undefined> {
  return firstRow<Node>(db)`
    select node_id as id, address from live_owners where project_id = ${projectId} and not ${isOver}`;
}

/** The current owner of each project, if its lease has not expired. */
export async function findOwners(db: Queries, projectIds: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ project_id: string; node_id: string }>`
    select project_id, node_id from live_owners
    where project_id = any(${projectIds}::text[]) and not ${isOver}`.execute(db);
  return new Map(rows.map((row) => [row.project_id, row.node_id]));
}
