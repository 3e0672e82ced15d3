import type { CheckAnnotation } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, cleanRows, type Db, type Queries, type Trx } from '../../foundation/db/index.ts';
import { firstIdAt } from '../../foundation/ids.ts';

/** Maximum number of annotations of a run. */
export const maxAnnotations = 200;

/** Adds annotations after those that the run already has, up to the maximum. */
export async function addAnnotations(
  trx: Trx,
  checkId: string,
  annotations: readonly CheckAnnotation[],
): Promise<void> {
  if (annotations.length === 0) return;
  await sql`
    with added as (
      insert into check_annotations (check_id, seq, path, start_line, end_line, level, title, message)
      select ${checkId}, c.annotations_count + given.seq, given.path, given.start_line, given.end_line,
        given.annotation_level, given.title, given.message
      from check_runs c, jsonb_to_recordset(${JSON.stringify(annotations.map((one, at) => ({ ...one, seq: at + 1 })))}::jsonb)
        as given (seq int, path text, start_line int, end_line int, annotation_level text, title text, message text)
      where c.id = ${checkId} and c.annotations_count + given.seq <= ${maxAnnotations}
      returning seq
    )
    update check_runs c set annotations_count = annotations_count + (select count(*) from added)
    where c.id = ${checkId}`.execute(trx);
}

export async function dropAnnotations(trx: Trx, checkId: string): Promise<void> {
  await sql`delete from check_annotations where check_id = ${checkId}`.execute(trx);
  await sql`update check_runs set annotations_count = 0 where id = ${checkId}`.execute(trx);
}

export const listAnnotations = (db: Queries, checkId: string): Promise<CheckAnnotation[]> =>
  allRows<CheckAnnotation>(db)`
    select path, start_line, end_line, level as annotation_level, title, message from check_annotations
    where check_id = ${checkId} order by seq`;

/** Annotations are kept as long as the lines of logs. */
export const dropOldAnnotations = (db: Db, days: number): Promise<void> =>
  cleanRows(db, {
    table: 'check_annotations',
    by: 'check_id',
    where: sql`gone.check_id < ${firstIdAt('chk', new Date(Date.now() - days * 86_400_000))}
      and not exists (select from check_runs c where c.id = gone.check_id
        and (c.completed_at is null or c.completed_at > now() - make_interval(days => ${days})))`,
  });
