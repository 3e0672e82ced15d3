import { sql } from 'kysely';
import type { Trx } from '../../foundation/db/index.ts';
import { parentOf } from './paths.ts';

/** Moves in two steps, so that two files can swap paths. */
export async function moveFileRows(
  trx: Trx,
  projectId: string,
  moves: { id: string; path: string }[],
  at: Date,
): Promise<void> {
  if (moves.length === 0) return;
  const ids = moves.map((move) => move.id);
  await sql`
    update files set path = chr(1) || id where project_id = ${projectId} and id = any(${ids})`.execute(trx);
  await sql`
    update files set path = m.path, parent = m.parent, updated_at = ${at}, placed_at = now()
    from unnest(${ids}::text[], ${moves.map((move) => move.path)}::text[], ${moves.map((move) => parentOf(move.path))}::text[])
      as m (id, path, parent)
    where files.project_id = ${projectId} and files.id = m.id`.execute(trx);
}

/** Moves the directory and all directories below it. Nothing is at the new path yet. */
export async function moveDirectoryRows(
  trx: Trx,
  projectId: string,
  { path, newPath }: { path: string; newPath: string },
): Promise<void> {
  const renamed = (column: string) => sql`${newPath}::text || substr(${sql.ref(column)}, length(${path}::text) + 1)`;
  await sql`
    update directories set path = ${renamed('path')}, placed_at = now(),
      parent = case when path = ${path} then ${parentOf(newPath)} else ${renamed('parent')} end
    where project_id = ${projectId} and (path = ${path} or (path > ${`${path}/`} and path < ${`${path}0`}))`.execute(
    trx,
  );
}

export async function deleteFileRows(trx: Trx, projectId: string, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  await trx.deleteFrom('files').where('project_id', '=', projectId).where('path', 'in', paths).execute();
}
