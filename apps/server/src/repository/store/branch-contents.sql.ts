import { CompiledQuery } from 'kysely';
import type { PointReads } from '../../foundation/db/index.ts';
import { accessColumns, type ProjectAccess } from '../../projects/access/index.ts';
import type { KnownEntry } from './branch-entries.sql.ts';

export type WantedOnBranch = { projectId: string; ref: string; id: string; userId: string };

/** The user's access to the project, the tree of the branch, and the entry with this id if a row has it. */
export type OnBranchRow = ProjectAccess &
  Pick<KnownEntry, 'path' | 'sha' | 'size' | 'mime_type' | 'created_at' | 'updated_at'> & {
    checksum: Buffer;
    tree_sha: Buffer;
  };

/** The same rules as in `knownText`, for files only and for many readers at once. */
const findText = `
    select w.ordinal, c.tree_sha, k.path, k.sha, k.size, k.mime_type, k.checksum, k.created_at, k.updated_at,
      ${accessColumns('w.user_id')}
    from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as w (project_id, ref, id, user_id, ordinal)
    join projects p on p.id = w.project_id
    join git_refs r on r.project_id = w.project_id and r.name = w.ref
    join git_commits c on c.project_id = r.project_id and c.sha = r.sha
    cross join lateral (
      select b.path, b.sha, b.size, b.mime_type, b.checksum, b.created_at, b.updated_at
      from branch_entries b where b.project_id = w.project_id and b.ref = w.ref and b.id = w.id and not b.is_directory
      union all
      select f.path, f.blob_sha, f.size, f.mime_type, f.checksum, f.created_at, f.updated_at
      from files f
      where f.id = w.id and f.project_id = w.project_id and f.placed_at <= r.based_at and not exists (
        select from branch_entries b
        where b.project_id = w.project_id and b.ref = w.ref and (b.id = f.id or b.path = f.path))
      limit 1
    ) k
    where p.deleted_at is null and p.version_control`;

export async function findOnBranches(db: PointReads, wanted: WantedOnBranch[]): Promise<(OnBranchRow | undefined)[]> {
  const columns = (['projectId', 'ref', 'id', 'userId'] as const).map((name) => wanted.map((one) => one[name]));
  const { rows } = await db.executeQuery<OnBranchRow & { ordinal: number }>(CompiledQuery.raw(findText, columns));
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  return wanted.map((_, index) => byOrdinal.get(index + 1));
}
