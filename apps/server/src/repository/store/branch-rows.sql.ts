import type { HeadFile } from './changes.ts';
import { type HeadChange, ofMain, rowsOf } from './head-change.ts';

/** The part of the statement that stores the rows of branches other than main. */
export const branchPart = `, put_entries as (
    insert into branch_entries
      (project_id, ref, path, id, is_directory, sha, checksum, executable, size, mime_type, created_at, updated_at)
    select ($1::text[])[e.project], ($33::text[])[e.project], e.path, e.id, e.is_directory,
      substring($40::bytea from 52 * n::int - 51 for 20),
      case when not e.is_directory then substring($40 from 52 * n::int - 31 for 32) end,
      e.executable, e.size, e.mime_type, e.created_at, $2
    from unnest($41::int[], $42::text[], $43::text[], $44::boolean[], $45::boolean[], $46::int[], $47::text[],
      $48::timestamptz[]) with ordinality
      as e (project, path, id, is_directory, executable, size, mime_type, created_at, n)
    on conflict (project_id, ref, path) do update set id = excluded.id, is_directory = excluded.is_directory,
      sha = excluded.sha, checksum = excluded.checksum, executable = excluded.executable, size = excluded.size,
      mime_type = excluded.mime_type, created_at = excluded.created_at, updated_at = excluded.updated_at
  )`;

/** Deletes rows. No path is both stored and deleted. */
export const branchGonePart = `, gone_entries as (
    delete from branch_entries e using unnest($38::int[], $39::text[]) as g (project, path)
    where e.project_id = ($1::text[])[g.project] and e.ref = ($33::text[])[g.project] and e.path = g.path
  )`;

type Entry = Pick<HeadFile, 'id' | 'path' | 'executable' | 'size' | 'mimeType' | 'createdAt'> & {
  sha: Buffer;
  checksum: Buffer | null;
};

/** The values of `branchPart`. */
export function branchValues(changes: HeadChange[], at: Date): unknown[] {
  const gone = rowsOf(changes, (change) => (ofMain(change) ? [] : goneOf(change)));
  const { projects, rows } = rowsOf(changes, (change) => (ofMain(change) ? [] : putOf(change, at)));
  const none = Buffer.alloc(32);
  return [
    gone.projects,
    gone.rows,
    Buffer.concat(rows.flatMap(({ sha, checksum }) => [sha, checksum ?? none])),
    projects,
    rows.map(({ path }) => path),
    rows.map(({ id }) => id),
    rows.map(({ checksum }) => checksum === null),
    rows.map(({ executable }) => executable),
    rows.map(({ size }) => size),
    rows.map(({ mimeType }) => mimeType),
    rows.map(({ createdAt }) => createdAt),
  ];
}

function putOf({ putFiles = [], putDirectories = [] }: HeadChange, at: Date): Entry[] {
  const noFile = { checksum: null, executable: false, size: 0, mimeType: '' };
  return [
    ...putFiles.map((file) => ({ ...file, sha: file.blobSha })),
    ...putDirectories.map(({ id, path, treeSha: sha, createdAt = at }) => ({ ...noFile, id, path, sha, createdAt })),
  ];
}

/** The paths to delete. If another entry takes a path, its row stays and gets the new content. */
function goneOf({ putFiles = [], putDirectories = [], goneFiles = [], goneDirectories = [] }: HeadChange): string[] {
  const taken = new Set([...putFiles, ...putDirectories].map(({ path }) => path));
  return [...new Set([...goneFiles, ...goneDirectories])].filter((path) => !taken.has(path));
}
