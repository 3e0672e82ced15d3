import { sql } from 'kysely';
import type { Trx } from '../foundation/db/index.ts';
import { contentsOf } from '../repository/store/index.ts';
import type { TemplateSettings } from './template.ts';

export type Snapshot = { templateId: string; projectId: string; except: string };

/** Copies contents from table to table, without loading them into this process. */
export async function takeSnapshot(trx: Trx, { templateId, projectId, except }: Snapshot): Promise<void> {
  await sql`delete from template_files where template_id = ${templateId}`.execute(trx);
  await sql`
    insert into template_files (template_id, path, executable, size, deflated)
    select ${templateId}, path, executable, size, deflated from (${contentsOf(projectId)}) as f
    where path <> ${except}`.execute(trx);
}

/** Updates the template after its files were stored or replaced. */
export async function noteSnapshot(
  trx: Trx,
  id: string,
  { projectId, settings, anew }: { projectId: string; settings: TemplateSettings; anew: boolean },
): Promise<void> {
  await trx
    .updateTable('templates')
    .set((row) => ({
      ...settings,
      project_id: projectId,
      version: row('version', '+', anew ? 1 : 0),
      files_count: row
        .selectFrom('template_files')
        .select(row.fn.countAll<number>().as('n'))
        .where('template_id', '=', id),
      stored_bytes: sql<number>`(select sum(octet_length(deflated)) from template_files where template_id = ${id})`,
      updated_at: sql<Date>`clock_timestamp()`,
    }))
    .where('id', '=', id)
    .execute();
}

/** Makes the publications of one user take turns, so that each counts the earlier ones. */
export async function lockOwnTemplates(trx: Trx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`templates of ${userId}`}, 0))`.execute(trx);
}

export async function measureTemplates(trx: Trx, ownerId: string): Promise<{ templates: number; bytes: number }> {
  const { rows } = await sql<{ templates: number; bytes: number }>`
    select count(distinct t.id)::int as templates, coalesce(sum(f.size), 0)::bigint as bytes
    from templates t left join template_files f on f.template_id = t.id
    where t.owner_id = ${ownerId}`.execute(trx);
  return rows[0] ?? { templates: 0, bytes: 0 };
}
