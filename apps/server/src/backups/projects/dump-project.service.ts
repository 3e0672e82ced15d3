import type { Trx } from '../../foundation/db/index.ts';
import { encodeCommit } from '../../repository/objects/commits.ts';
import { deflateObject, hashObject } from '../../repository/objects/objects.ts';
import { type PackedObject, packStream } from '../../repository/objects/pack.ts';
import { isOfService, mainRef } from '../../repository/objects/ref-names.ts';
import { emptyTree } from '../../repository/objects/trees.ts';
import { allObjects, findCommit, headTree, listAllRefs, type Ref } from '../../repository/store/index.ts';
import {
  type BackupEnd,
  BackupError,
  type BackupRecord,
  dumpTable,
  type Progress,
  type ProjectManifest,
} from '../file/index.ts';
import { findProject, type ProjectRow } from './projects.sql.ts';

type Options = { projectId: string; version: string; progress: Progress };

/** The name of the one table of such a backup. Its rows are git objects. */
export const packTable = { name: 'git pack', columns: [] };

/** Dumps one project as this transaction sees it: its name, its references, and a pack of all its objects. */
export async function* dumpProject(trx: Trx, { projectId, version, progress }: Options): AsyncGenerator<BackupRecord> {
  const project = await findProject(trx, projectId);
  if (!project) throw new BackupError(`There is no project ${projectId}.`);
  const { id, name, description, collaboration_enabled, auto_save, version_control } = project;
  // The references of merge requests and checks are left out, because the backup of a project contains neither.
  const stored = (await listAllRefs(trx, projectId)).filter((ref) => !isOfService(ref.name));
  const unsaved = await unsavedCommit(trx, project, stored.find((ref) => ref.name === mainRef)?.sha ?? null);
  const refs = [
    ...stored.filter((ref) => !unsaved || ref.name !== mainRef),
    ...(unsaved ? [{ name: mainRef, sha: unsaved.sha }] : []),
  ];
  yield {
    metadata: {
      what: 'manifest',
      version,
      made_at: new Date().toISOString(),
      project: {
        ...{ id, name, description, settings: { collaboration_enabled, auto_save, version_control } },
        refs: refs.map((ref) => ({ name: ref.name, sha: ref.sha.toString('hex') })),
      },
    } satisfies ProjectManifest,
  };
  const all = await allObjects(trx, projectId);
  const count = all.count + (unsaved ? 1 : 0);
  const data = packStream(withLast(all.objects(), unsaved?.object ?? null), count);
  const told = { tables: 0, rows: 0, bytes: 0 };
  yield* dumpTable({ table: packTable, data, countRows: async () => count }, told, progress);
  yield { metadata: { what: 'end', tables: 1, rows: count, sequences: {} } satisfies BackupEnd };
}

/**
 * Creates a commit for files that were saved without version control and are in no commit, so that the repository
 * contains everything.
 */
async function unsavedCommit(trx: Trx, project: ProjectRow, main: Buffer | null) {
  const tree = await headTree(trx, project.id);
  const committed = main && (await findCommit(trx, project.id, main))?.tree_sha;
  if (!tree || (committed ?? emptyTree).equals(tree)) return null;
  const author = { name: project.owner_name, email: project.owner_email, at: new Date() };
  const message = 'Files that were saved without version control';
  const content = encodeCommit({ tree, parents: main ? [main] : [], author, committer: author, message });
  const object: PackedObject = { type: 'commit', size: content.length, deflated: deflateObject(content) };
  return { sha: hashObject('commit', content), object } satisfies Pick<Ref, 'sha'> & { object: PackedObject };
}

async function* withLast(
  objects: AsyncGenerator<PackedObject>,
  last: PackedObject | null,
): AsyncGenerator<PackedObject> {
  yield* objects;
  if (last) yield last;
}
