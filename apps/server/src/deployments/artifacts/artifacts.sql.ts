import { type Selectable, sql } from 'kysely';
import { allRows, firstRow, type Queries, type RowOf, selectList } from '../../foundation/db/index.ts';
import type { Database } from '../../foundation/db/schema.ts';

export type ArtifactRow = Pick<
  Selectable<Database['artifacts']>,
  'id' | 'start_command' | 'spa' | 'file_count' | 'size'
>;

const fileColumns = [
  'path',
  'kind',
  'size',
  'mime_type',
  'checksum',
  'chunks',
  'gzip_chunks',
  'gzip_size',
  'brotli_chunks',
  'brotli_size',
] as const;
const selectedFile = sql.raw(selectList('f', fileColumns));

export type ArtifactFile = RowOf<'artifact_files', typeof fileColumns>;

/**
 * Drops pieces that neither an artifact of a deployment nor a layer of a workspace uses. Returns how many, at most
 * `max`.
 */
export async function dropUnusedChunks(trx: Queries, projectId: string, max: number): Promise<number> {
  const { rows } = await sql<{ dropped: number }>`
    with used as materialized (
      select distinct substring(form.digests from n * 32 + 1 for 32) as digest
      from artifacts a join artifact_files f on f.artifact_id = a.id
      cross join lateral (values (f.chunks), (f.gzip_chunks), (f.brotli_chunks)) as form (digests)
      cross join lateral generate_series(0, length(form.digests) / 32 - 1) as n
      where a.project_id = ${projectId} and exists (select from deployments d where d.artifact_id = a.id)
      union
      select substring(l.chunks from n * 32 + 1 for 32)
      from workspace_layers l cross join lateral generate_series(0, length(l.chunks) / 32 - 1) as n
      where l.project_id = ${projectId} and l.is_needed
    ), unused as (
      select c.digest from artifact_chunks c
      where c.project_id = ${projectId} and not exists (select from used where used.digest = c.digest)
      limit ${max}
    ), gone as (
      delete from artifact_chunks c using unused where c.project_id = ${projectId} and c.digest = unused.digest
      returning coalesce(c.object_bytes, octet_length(c.content)) as bytes
    )
    update project_stats set artifact_bytes = greatest(0, artifact_bytes - coalesce((select sum(bytes) from gone), 0))
    where project_id = ${projectId}
    returning (select count(*) from gone) as dropped`.execute(trx);
  return rows[0]?.dropped ?? 0;
}

export async function findArtifactByDigest(
  db: Queries,
  projectId: string,
  digest: Buffer,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from artifacts where project_id = ${projectId} and digest = ${digest}`.execute(db);
  return rows[0]?.id;
}

type NewArtifact = ArtifactRow & { project_id: string; digest: Buffer };

/**
 * Inserts an artifact unless it exists. Returns the id of the stored one, because two builds may have created the same
 * artifact at the same time.
 */
export async function insertArtifact(trx: Queries, artifact: NewArtifact, files: ArtifactFile[]): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into artifacts (id, project_id, digest, start_command, spa, file_count, size)
    values (${artifact.id}, ${artifact.project_id}, ${artifact.digest}, ${artifact.start_command}, ${artifact.spa},
      ${artifact.file_count}, ${artifact.size})
    on conflict (project_id, digest) do nothing returning id`.execute(trx);
  if (!rows[0]) return (await findArtifactByDigest(trx, artifact.project_id, artifact.digest)) ?? artifact.id;
  const column = <Name extends keyof ArtifactFile>(name: Name) => files.map((file) => file[name]);
  await sql`
    insert into artifact_files (artifact_id, path, kind, size, mime_type, checksum, chunks, gzip_chunks, gzip_size,
      brotli_chunks, brotli_size)
    select ${artifact.id}, * from unnest(
      ${column('path')}::text[], ${column('kind')}::text[], ${column('size')}::bigint[], ${column('mime_type')}::text[],
      ${column('checksum')}::bytea[], ${column('chunks')}::bytea[], ${column('gzip_chunks')}::bytea[],
      ${column('gzip_size')}::bigint[], ${column('brotli_chunks')}::bytea[], ${column('brotli_size')}::bigint[]
    )`.execute(trx);
  return artifact.id;
}

export function findArtifactFile(db: Queries, artifactId: string, path: string): Promise<ArtifactFile | undefined> {
  return firstRow<ArtifactFile>(db)`
    select ${selectedFile} from artifact_files f where artifact_id = ${artifactId} and path = ${path}`;
}

export function listArtifactFiles(db: Queries, artifactId: string): Promise<ArtifactFile[]> {
  return allRows<ArtifactFile>(db)`
    select ${selectedFile} from artifact_files f where artifact_id = ${artifactId} order by path`;
}
