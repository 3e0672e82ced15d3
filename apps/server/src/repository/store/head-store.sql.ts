import { CompiledQuery } from 'kysely';
import type { Trx } from '../../foundation/db/index.ts';
import { withNextText } from '../../foundation/db/statement-pipeline.ts';
import { mainBranch, mainRef, refOf } from '../objects/ref-names.ts';
import { branchGonePart, branchPart, branchValues } from './branch-rows.sql.ts';
import type { HeadFile } from './changes.ts';
import { type HeadChange, ofMain, type PutDirectory, type Rows, rowsOf } from './head-change.ts';
import type { StoredObject } from './objects.sql.ts';
import { parentOf } from './paths.ts';

/**
 * The part that stores the rows of main. Like all parts below, it is added only if it has rows, because a part without
 * rows has a cost.
 */
const mainPart = `, put_files as (
    insert into files
      (project_id, path, parent, id, blob_sha, checksum, executable, size, mime_type, created_at, updated_at)
    select ($1::text[])[f.project], f.path, f.parent, f.id, substring($20::bytea from 52 * n::int - 51 for 20),
      substring($20 from 52 * n::int - 31 for 32), f.executable, f.size, f.mime_type, $2, $2
    from unnest($21::int[], $22::text[], $23::text[], $24::text[], $25::boolean[], $26::int[], $27::text[])
      with ordinality as f (project, path, parent, id, executable, size, mime_type, n)
    on conflict (project_id, path) do update set blob_sha = excluded.blob_sha, executable = excluded.executable,
      size = excluded.size, mime_type = excluded.mime_type, checksum = excluded.checksum,
      updated_at = excluded.updated_at
  ), put_directories as (
    insert into directories (project_id, path, parent, id, tree_sha, created_at, updated_at)
    select ($1::text[])[d.project], d.path, d.parent, d.id, substring($28::bytea from 20 * n::int - 19 for 20), $2, $2
    from unnest($29::int[], $30::text[], $31::text[], $32::text[]) with ordinality
      as d (project, path, parent, id, n)
    on conflict (project_id, path) do update set tree_sha = excluded.tree_sha, updated_at = excluded.updated_at
  )`;

const gonePart = `, gone_files as (
    delete from files using unnest($34::int[], $35::text[]) as g (project, path)
    where files.project_id = ($1::text[])[g.project] and files.path = g.path
  ), gone_directories as (
    delete from directories using unnest($36::int[], $37::text[]) as g (project, path)
    where directories.project_id = ($1::text[])[g.project] and directories.path = g.path
  )`;

/**
 * One statement for all cases, in which parts without rows do nothing. Rows refer to their project by its index in the
 * first array. Ids, checksums and contents of all rows are each sent as one sequence of bytes. An array would be sent
 * as hex text inside text.
 */
const storeText = (rows: string): string => `${withNextText}
  with added as (
    insert into git_objects (project_id, sha, type, size, deflated, checksum, base)
    select ($1::text[])[o.project], substring($4::bytea from o.start for 20), o.type, o.size,
      substring($4 from o.start + case when o.type = 3 then 52 else 20 end for o.length),
      case when o.type = 3 then substring($4 from o.start + 20 for 32) end,
      case when o.base is not null then substring($4 from o.base for 20) end
    from unnest($5::int[], $6::smallint[], $7::int[], $8::int[], $9::int[], $49::int[])
      as o (project, type, size, start, length, base)
    on conflict do nothing returning project_id, octet_length(deflated) as bytes
  ), committed as (
    insert into git_commits
      (project_id, sha, tree_sha, parents, generation, beside, author_name, author_email, committed_at, message)
    select ($1::text[])[c.project], substring($10::bytea from 60 * n::int - 59 for 20),
      substring($10 from 60 * n::int - 39 for 20),
      case when c.generation = 1 then '{}' else array[substring($10 from 60 * n::int - 19 for 20)] end,
      c.generation, c.beside, c.author_name, c.author_email, c.committed_at, c.message
    from unnest($11::int[], $12::int[], $13::int[], $14::text[], $15::text[], $16::timestamptz[], $17::text[]) with ordinality
      as c (project, generation, beside, author_name, author_email, committed_at, message, n)
    on conflict do nothing
  ), moved as (
    insert into git_refs (project_id, name, sha, files_count)
    select ($1::text[])[r.project], ($33::text[])[r.project], substring($10::bytea from 60 * r.last - 59 for 20),
      ($3::int[])[r.project]
    from unnest($18::int[], $19::int[]) as r (project, last)
    on conflict (project_id, name) do update set sha = excluded.sha, updated_at = now(),
      files_count = git_refs.files_count + excluded.files_count
  )${rows}
  update project_stats s set files_count = s.files_count + w.files, last_activity = $2::timestamptz,
    stored_bytes = s.stored_bytes + coalesce((select sum(bytes) from added a where a.project_id = w.project_id), 0)
  from (
    select id as project_id, coalesce(sum(files) filter (where ref = '${mainRef}'), 0) as files
    from unnest($1::text[], $3::int[], $33::text[]) as c (id, files, ref) group by id
  ) w
  where s.project_id = w.project_id`;

type Statement = { text: string; parameters: number[] };

/** Builds the statement with its parameters numbered without gaps, and lists which of all values it uses. */
function statement(parts: string): Statement {
  const text = storeText(parts);
  const parameters = [...new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))];
  return { text: text.replaceAll(/\$(\d+)/g, (_, number) => `$${parameters.indexOf(Number(number)) + 1}`), parameters };
}

const statements = {
  main: statement(mainPart),
  mainAndGone: statement(mainPart + gonePart),
  branch: statement(branchPart),
  branchAndGone: statement(branchPart + branchGonePart),
  both: statement(mainPart + gonePart + branchPart + branchGonePart),
};

/**
 * Stores objects, commits, references, rows and figures of one or several projects in one statement, and therefore in
 * one round trip.
 */
export async function storeHeads(trx: Trx, at: Date, changes: HeadChange[]): Promise<void> {
  const goneFiles = rowsOf(changes, (change) => ofMain(change)?.goneFiles);
  const goneDirectories = rowsOf(changes, (change) => ofMain(change)?.goneDirectories);
  const { objects, bases } = objectValues(rowsOf(changes, (change) => change.objects));
  const values = [
    changes.map(({ projectId }) => projectId),
    at,
    changes.map(({ filesAdded = 0 }) => filesAdded),
    ...objects,
    ...commitValues(changes),
    ...fileValues(rowsOf(changes, (change) => ofMain(change)?.putFiles)),
    ...directoryValues(rowsOf(changes, (change) => ofMain(change)?.putDirectories)),
    changes.map(({ branch = mainBranch }) => refOf({ branch })),
    ...[goneFiles, goneDirectories].flatMap(({ projects, rows }) => [projects, rows]),
    ...branchValues(changes, at),
    bases,
  ];
  const onMain = changes.filter((change) => ofMain(change)).length;
  const isGone = changes.some(
    ({ goneFiles: files = [], goneDirectories: directories = [] }) => files.length + directories.length > 0,
  );
  const onlyMain = isGone ? statements.mainAndGone : statements.main;
  const onlyOthers = isGone ? statements.branchAndGone : statements.branch;
  const { text, parameters } = onMain === changes.length ? onlyMain : onMain === 0 ? onlyOthers : statements.both;
  const used = parameters.map((number) => values[number - 1]);
  await trx.executeQuery(CompiledQuery.raw(text, used));
}

export const storeHead = (trx: Trx, at: Date, change: HeadChange): Promise<void> => storeHeads(trx, at, [change]);

/** The id, the checksum (only for a blob), the content and the base (if any) of each object. */
function objectValues({ projects, rows }: Rows<StoredObject>): { objects: unknown[]; bases: (number | null)[] } {
  const bytes: Buffer[] = [];
  const starts: number[] = [];
  const bases: (number | null)[] = [];
  let start = 1;
  for (const { sha, checksum, deflated, base } of rows) {
    starts.push(start);
    const parts = checksum ? [sha, checksum, deflated] : [sha, deflated];
    for (const { length } of parts) start += length;
    bytes.push(...parts);
    bases.push(base ? start : null);
    if (!base) continue;
    bytes.push(base);
    start += base.length;
  }
  const objects = [
    Buffer.concat(bytes, start - 1),
    projects,
    rows.map(({ type }) => type),
    rows.map(({ size }) => size),
    starts,
    rows.map(({ deflated }) => deflated.length),
  ];
  return { objects, bases };
}

/** The id, tree and parent of each commit, and then the references. A first commit, of generation 1, has no parent. */
function commitValues(changes: HeadChange[]): unknown[] {
  const none = Buffer.alloc(20);
  const { projects, rows } = rowsOf(changes, ({ commits }) => commits);
  const moved = [...new Set(projects)];
  return [
    Buffer.concat(rows.flatMap(({ sha, tree_sha, parents }) => [sha, tree_sha, parents[0] ?? none])),
    projects,
    rows.map(({ generation }) => generation),
    projects.map((project) => changes[project - 1]?.beside ?? null),
    rows.map(({ author_name }) => author_name),
    rows.map(({ author_email }) => author_email),
    rows.map(({ committed_at }) => committed_at),
    rows.map(({ message }) => message),
    moved,
    moved.map((project) => projects.lastIndexOf(project) + 1),
  ];
}

function fileValues({ projects, rows }: Rows<HeadFile>): unknown[] {
  return [
    Buffer.concat(rows.flatMap(({ blobSha, checksum }) => [blobSha, checksum])),
    projects,
    rows.map(({ path }) => path),
    rows.map(({ path }) => parentOf(path)),
    rows.map(({ id }) => id),
    rows.map(({ executable }) => executable),
    rows.map(({ size }) => size),
    rows.map(({ mimeType }) => mimeType),
  ];
}

function directoryValues({ projects, rows }: Rows<PutDirectory>): unknown[] {
  return [
    Buffer.concat(rows.map(({ treeSha }) => treeSha)),
    projects,
    rows.map(({ path }) => path),
    rows.map(({ path }) => (path === '' ? null : parentOf(path))),
    rows.map(({ id }) => id),
  ];
}
