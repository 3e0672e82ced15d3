import type { Site } from '../cluster/index.ts';

/**
 * Everything that the auditor reads from the database itself, since no route shows it. One line for each row that
 * should not exist.
 */
const mustBeEmpty: Record<string, string> = {
  'a figure of files differs from the files': `
    select s.project_id as what from project_stats s
    left join (select project_id, count(*) as counted from files group by 1) f using (project_id)
    where s.files_count <> coalesce(f.counted, 0)`,
  'a figure of stored bytes differs from what is stored': `
    select s.project_id as what from project_stats s
    left join (
      select project_id, sum(bytes) as bytes, max(up_to) as up_to from git_packs where finished_at is not null group by 1
    ) k using (project_id)
    left join lateral (
      select sum(octet_length(deflated)) as bytes from git_objects o
      where o.project_id = s.project_id and o.seq > coalesce(k.up_to, 0)
    ) newer on true
    where s.stored_bytes <> coalesce(k.bytes, 0) + coalesce(newer.bytes, 0)`,
  'an object at the head of main has no row': `
    select h.project_id as what from (
      select project_id, blob_sha as sha from files
      union select project_id, tree_sha from directories where tree_sha is not null
    ) h where not exists (select from git_objects o where o.project_id = h.project_id and o.sha = h.sha)`,
  'no history was packed': `
    select 'git_packs' as what where not exists (select from git_packs where finished_at is not null)`,
  'a figure of deliveries differs from the deliveries': `
    select webhook_id as what from (
      select webhook_id, sum(deliveries) as counted from webhook_stats group by webhook_id) s
    where s.counted <> (
      select count(*) from webhook_deliveries d where d.webhook_id = s.webhook_id and d.status <> 'pending')`,
  'a counter of projects differs from the projects': `
    select c.user_id as what from (select user_id, sum(active + archived) as counted from project_counters group by user_id) c
    where c.counted <> (select count(*) from project_listing l where l.user_id = c.user_id)`,
  'a project is not listed for its owner, or has no figures': `
    select p.id as what from projects p
    left join project_listing l on l.project_id = p.id and l.user_id = p.owner_id
    left join project_stats s on s.project_id = p.id
    where p.deleted_at is null and (l.project_id is null or s.project_id is null)`,
  'a delivery still waits': `
    select id || ' ' || event_type || ' held by ' || coalesce(holder::text, 'nobody') as what
    from webhook_deliveries where status = 'pending'`,
  'a batch of deliveries was left behind': `
    select id || ' held by ' || holder as what from webhook_batches`,
  'a delivery was given up': `
    select id || ' ' || coalesce(reason, '') as what from webhook_deliveries where status = 'failed'`,
  'a build is under way': `
    select id || ' by ' || coalesce(worker_id, 'nobody') as what from deployments where status in ('pending', 'building')`,
  'a project is owned by a node that is gone': `
    select o.project_id as what from live_owners o
    where o.expires_at > now() and not exists (select from live_nodes n where n.id = o.node_id)`,
  'a socket is on a node that is gone': `
    select s.id as what from live_sockets s join live_nodes n on n.id = s.node_id
    where n.beat_at < now() - interval '1 minute'`,
  'a live text is not saved': `
    select id || ' ' || path as what from live_texts where unsaved_by <> '{}'`,
  'a transaction was left open': `
    select pid::text as what from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%' and state_change < now() - interval '20 seconds'`,
  'a job is held by a worker that is gone': `
    select j.id::text as what from graphile_worker._private_jobs j
    where j.locked_at < now() - interval '1 minute'
      and not exists (select from job_workers w where w.worker_id = j.locked_by and w.beat_at > now() - interval '1 minute')`,
  'what a deployment served belongs to none': `
    select a.id as what from artifacts a
    where a.created_at < now() - interval '1 hour' and not exists (select from deployments d where d.artifact_id = a.id)`,
};

/** Every sentence, with the rows that match it. */
export async function findRows({ query }: Site): Promise<{ sentence: string; found: string[] }[]> {
  const results: { sentence: string; found: string[] }[] = [];
  for (const [sentence, statement] of Object.entries(mustBeEmpty)) {
    const rows = await query<{ what: string }>(statement);
    results.push({ sentence, found: rows.map(({ what }) => what) });
  }
  return results;
}

/** Unfinished work, which should soon be done, and the number of events to deliver. */
export async function countUnfinished({ query }: Site): Promise<Record<string, number>> {
  const [row] = await query<Record<string, number>>(`select
    (select count(*)::int from webhook_deliveries where status = 'pending') as deliveries,
    (select count(*)::int from webhook_batches) as batches,
    (select count(*)::int from deployments where status in ('pending', 'building')) as builds,
    (select count(*)::int from live_texts where unsaved_by <> '{}') as texts,
    (select count(*)::int from events where type ~ '^(file|project|deployment|build)[.]') as events`);
  return row ?? {};
}

/** Dead rows that are not yet vacuumed, and the database's size on disk. */
export async function readBloat({ query }: Site): Promise<{ dead: number; megabytes: number; largest: string }> {
  const rows = await query<{ name: string; dead: number; bytes: number }>(`
    select relname as name, n_dead_tup::float8 as dead, pg_total_relation_size(relid)::float8 as bytes
    from pg_stat_user_tables order by bytes desc`);
  const [size] = await query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes');
  return {
    dead: rows.reduce((sum, row) => sum + row.dead, 0),
    megabytes: (size?.bytes ?? 0) / 2 ** 20,
    largest: rows
      .slice(0, 8)
      .map(({ name, dead, bytes }) => `${name} ${(bytes / 2 ** 20).toFixed(1)} MB with ${dead} dead rows`)
      .join(', '),
  };
}

/** Waiting time of the oldest unfinished delivery, in seconds. */
export async function readOldestDelivery({ query }: Site): Promise<number> {
  const [row] = await query<{ seconds: number | null }>(`
    select extract(epoch from now() - min(created_at))::float8 as seconds from webhook_deliveries where status = 'pending'`);
  return row?.seconds ?? 0;
}
