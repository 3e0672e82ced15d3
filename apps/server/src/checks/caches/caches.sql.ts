import { sql } from 'kysely';
import { cleanRows, type Db, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';

export type CacheKey = { projectId: string; scope: string; key: Buffer };

/** Finds the layer of a cache. Each use extends the time for which the cache is kept. */
export async function useCache(db: Queries, { projectId, scope, key }: CacheKey): Promise<string | undefined> {
  const row = await firstRow<{ layer_id: string }>(db)`
    update check_caches set used_at = clock_timestamp()
    where project_id = ${projectId} and scope = ${scope} and key = ${key} returning layer_id`;
  return row?.layer_id;
}

type Kept = CacheKey & { layerId: string; tree: Buffer | null; run: { id: string; attempt: number } };

/** Inserts or replaces a cache. False if another worker has taken the run meanwhile. */
export async function putCache(trx: Trx, { projectId, scope, key, layerId, tree, run }: Kept): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into check_caches (project_id, scope, key, layer_id, tree_sha)
    select ${projectId}, ${scope}, ${key}, ${layerId}, ${tree} from check_runs c
    where c.id = ${run.id} and c.attempt = ${run.attempt} and c.status = 'in_progress'
    on conflict (project_id, scope, key) do update
      set layer_id = excluded.layer_id, tree_sha = excluded.tree_sha, used_at = clock_timestamp()`.execute(trx);
  return numAffectedRows === 1n;
}

/** Forgets a cache that cannot be read, unless it has been replaced meanwhile. */
export async function dropCache(db: Queries, { projectId, scope, key }: CacheKey, layerId: string): Promise<void> {
  await sql`
    delete from check_caches
    where project_id = ${projectId} and scope = ${scope} and key = ${key} and layer_id = ${layerId}`.execute(db);
}

/** Deletes the caches of a scope that has ended. Their pieces are deleted with other unneeded layers. */
export async function dropCachesOf(trx: Trx, projectId: string, scope: string): Promise<void> {
  await sql`delete from check_caches where project_id = ${projectId} and scope = ${scope}`.execute(trx);
}

/**
 * Gives `main` the caches that another scope kept for the same files, but only if those runs began with caches of
 * `main` or with none. So the caches are what a run on `main` would have left, and no such run is needed after a merge.
 */
export async function adoptCaches(
  trx: Trx,
  { projectId, tree, keys }: { projectId: string; tree: Buffer; keys: readonly Buffer[] },
): Promise<void> {
  await sql`
    insert into check_caches (project_id, scope, key, layer_id, tree_sha)
    select distinct on (k.key) k.project_id, 'main', k.key, k.layer_id, k.tree_sha from check_caches k
    join workspace_layers l on l.id = k.layer_id and l.is_needed
    where k.project_id = ${projectId} and k.key = any(${keys}::bytea[]) and k.tree_sha = ${tree} and k.scope <> 'main'
    order by k.key, k.used_at desc
    on conflict (project_id, scope, key) do update
      set layer_id = excluded.layer_id, tree_sha = excluded.tree_sha, used_at = clock_timestamp()
      where check_caches.tree_sha is distinct from excluded.tree_sha`.execute(trx);
}

const unusedDays = 7;

export const dropUnusedCaches = (db: Db): Promise<void> =>
  cleanRows(db, {
    table: 'check_caches',
    by: 'used_at',
    where: sql`gone.used_at < now() - make_interval(days => ${unusedDays})`,
  });
