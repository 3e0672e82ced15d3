import { sql } from 'kysely';
import { type Db, type Trx, transaction } from '../../apps/server/src/foundation/db/index.ts';
import { takingItsTime } from '../../apps/server/src/foundation/db/prepared-statements.ts';
import { firstIdAt, newId } from '../../apps/server/src/foundation/ids.ts';

/** Inserts rows directly: writing them one by one, as the service does, would take hours. */

/** A history without merges, at the head of main. */
export async function fillCommits(db: Db, projectId: string, count: number): Promise<void> {
  const idOf = (n: string) => sql.raw(`substring(sha256(convert_to('${projectId}' || (${n}), 'UTF8')) for 20)`);
  await sql`
    insert into git_commits
      (project_id, sha, tree_sha, parents, generation, beside, author_name, author_email, committed_at, message)
    select ${projectId}, ${idOf('n')}, ${idOf('0')}, case when n = 1 then '{}' else array[${idOf('n - 1')}] end, n, 0,
      'Ada', 'ada@example.com', now() - make_interval(secs => ${count} - n), 'Auto-save'
    from generate_series(1, ${count}::int) n`.execute(db);
  await sql`
    insert into git_refs (project_id, name, sha) values (${projectId}, 'refs/heads/main', ${idOf(String(count))})`.execute(
    db,
  );
  await sql`analyze git_commits`.execute(db);
}

export async function fillFiles(db: Db, projectId: string, count: number): Promise<void> {
  await sql`
    insert into files (project_id, path, parent, id, blob_sha, checksum, size, mime_type)
    select ${projectId}, '/d' || n / 100 || '/f' || n, '/d' || n / 100, 'fil_' || ${projectId} || n,
      decode(repeat('00', 20), 'hex'), decode(repeat('00', 32), 'hex'), 10, 'text/plain'
    from generate_series(1, ${count}::int) n`.execute(db);
  await sql`analyze files`.execute(db);
}

export async function fillSessions(db: Db, projectId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('ses'));
  await sql`
    insert into collaboration_sessions (id, project_id, creator_id, name, description, may_write, may_admin,
      invite_encrypted, invite_digest, expires_at)
    select id, ${projectId}, p.owner_id, 'Session', '', true, false, '', sha256(convert_to(id, 'UTF8')), now() + interval '1 day'
    from unnest(${ids}::text[]) as id cross join (select owner_id from projects where id = ${projectId}) p`.execute(db);
  await sql`analyze collaboration_sessions`.execute(db);
  return ids;
}

export async function fillEvents(db: Db, count: number): Promise<void> {
  await sql`
    insert into events (id, type, account_id, data)
    select 'evt_' || lpad(n::text, 26, '0'), 'bench.old', 'usr_bench', '{"file_id": "fil_bench"}'
    from generate_series(1, ${count}::int) n`.execute(db);
  await sql`analyze events`.execute(db);
}

/** This number of ordered deliveries of one project, all waiting; returns their webhook. */
export async function fillBacklog(trx: Trx, ownerId: string, count: number): Promise<string> {
  const id = newId('whk');
  await sql`
    insert into webhooks (id, owner_id, created_by, format, name, url, events, secret_encrypted, ordered)
    values (${id}, ${ownerId}, ${ownerId}, 'reference', 'Bench', 'https://hooks.example.com/', '{*}', '', true)`.execute(
    trx,
  );
  await sql`
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, place)
    select 'dlv_' || ${id} || n, ${id}, 'evt_bench', 'file.updated', 'reference', 'event', n
    from generate_series(1, ${count}::int) n`.execute(trx);
  await sql`analyze webhook_deliveries`.execute(trx);
  return id;
}

const dayMs = 86_400_000;
/** Rows in one statement, so that none takes longer than a request. */
const atOnce = 50_000;
/** As many as there are connections. */
const lanes = 4;

/**
 * Completed deliveries of recent days with their events and figures. Every tenth has an attempt, and one in a hundred
 * has failed.
 */
export async function fillHistory(
  db: Db,
  { webhooks, days, rows }: { webhooks: string[]; days: number; rows: number },
): Promise<void> {
  const each = Math.ceil(rows / days / 100) * 100;
  for (let back = days; back > 0; back--) {
    const firsts = Array.from({ length: Math.ceil(each / atOnce) }, (_, n) => 1 + n * atOnce);
    const at = new Date(Date.now() - back * dayMs + 60_000);
    const fill = (first: number) => fillMoment(db, webhooks, { at, first, last: Math.min(first + atOnce - 1, each) });
    const lane = async (_: unknown, number: number) => {
      for (const first of firsts.filter((_first, index) => index % lanes === number)) await fill(first);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }
  for (const table of ['events', 'webhook_deliveries', 'webhook_attempts']) await analysed(db, table);
}

async function fillMoment(
  db: Db,
  webhooks: string[],
  { at, first, last }: { at: Date; first: number; last: number },
): Promise<void> {
  const ids = (kind: 'evt' | 'dlv') => sql`${firstIdAt(kind, at).slice(0, 14)} || lpad(n::text, 16, '0')`;
  const numbers = sql`generate_series(${first}::int, ${last}::int) n`;
  await sql`
    insert into events (id, type, account_id, data, created_at, xid)
    select ${ids('evt')}, 'user.updated', 'usr_bench', '{"file_id": "fil_bench"}', ${at}, '3' from ${numbers}`.execute(
    db,
  );
  await sql`
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, status, attempts, response_code,
      response_time, request_headers, created_at)
    select ${ids('dlv')}, (${webhooks}::text[])[1 + n % ${webhooks.length}::int], ${ids('evt')}, 'user.updated', 'core', 'event',
      case when n % 100 = 3 then 'failed' else 'success' end, 1, 200, 20, '{}', ${at} from ${numbers}`.execute(db);
  await sql`
    insert into webhook_attempts (delivery_id, attempt, started_at, request_headers)
    select ${ids('dlv')}, 1, ${at}, '{}' from ${numbers} where n % 10 = 0`.execute(db);
}

const analysed = (db: Db, table: string) =>
  transaction(db, async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`${takingItsTime} analyze ${sql.table(table)}`.execute(trx);
  });
