import { reasonSentence } from '@bottega/contract';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { AppError, type Cause, causeOfRun, conflict } from '../../foundation/http/index.ts';
import type { Tasks } from '../../foundation/jobs/enqueue.ts';
import type { AddressRule } from '../../foundation/outgoing/address-rule.ts';
import { enqueueImport, lockManageableProject, type ReadableProject, writableProject } from '../../projects/index.ts';
import type { GitCaches, GitProgram } from '../cache/index.ts';
import { mainRef } from '../objects/ref-names.ts';
import {
  borrowFrom,
  haveCommonCommit,
  isAncestor,
  type Receiving,
  refusalOf,
  storeReceived,
  withQuarantine,
} from '../quarantine/index.ts';
import { listAllRefs, type RefUpdate } from '../store/index.ts';
import { noteFailed, noteSynced } from './import.sql.ts';
import { fetchBranch } from './import-fetch.ts';
import { ImportError, resolveSource } from './import-source.ts';

export type Imports = Receiving & {
  caches: GitCaches;
  quarantineRoot: string;
  isAllowedAddress: AddressRule;
};

export async function requestSync(db: Db, userId: string, projectId: string, cause: Cause): Promise<void> {
  await transaction(db, async (trx) => {
    const project = await lockManageableProject(trx, projectId, userId);
    if (project.repository_url === null) throw conflict('The project has no repository to import from');
    await enqueueImport(trx, projectId, cause);
  });
}

/**
 * Runs the import job. Failures of the import are recorded in the project, because a retry would not help. Only
 * failures of the service itself are thrown, so that the job is retried.
 */
export async function importRepository(imports: Imports, payload: Tasks['repositories:import']): Promise<void> {
  const { db } = imports;
  const { project_id: projectId, user_id: userId } = payload;
  let source: ReadableProject | null = null;
  try {
    const project = await writableProject(db, projectId, userId);
    if (project.repository_url === null) return;
    source = project;
    await importInto(imports, project, payload);
    await noteSynced(db, projectId, project);
  } catch (error) {
    const reason = reasonOf(error);
    await noteFailed(db, projectId, source, reason ?? reasonSentence('import_interrupted'));
    if (reason === null) throw error;
  }
}

async function whyDiverged(git: GitProgram, directory: string, main: Buffer | null, tip: Buffer): Promise<string> {
  if (main && (await haveCommonCommit(git, directory, main, tip))) {
    return reasonSentence('import_diverged');
  }
  // This happens, for example, if the project began with a template, whose files were never part of the repository.
  return reasonSentence('import_unrelated');
}

function reasonOf(error: unknown): string | null {
  if (error instanceof ImportError) return error.message;
  const refusal = refusalOf(error);
  if (refusal) return [refusal.message, ...refusal.lines].join('. ');
  return error instanceof AppError && error.status < 500 ? error.message : null;
}

async function importInto(
  imports: Imports,
  project: ReadableProject,
  { user_id: userId, request_id: requestId }: Tasks['repositories:import'],
): Promise<void> {
  const { git, caches, quarantineRoot, limits } = imports;
  if (!project.version_control) throw new ImportError(reasonSentence('not_version_controlled'));
  const source = await resolveSource(project.repository_url ?? '', imports.isAllowedAddress);
  const branch = project.repository_branch ?? 'main';
  await withQuarantine(quarantineRoot, (directory) =>
    caches.withCache(project.id, async (cache) => {
      await borrowFrom(cache, directory);
      const { tip, tags } = await fetchBranch(git, directory, { source, branch, limits });
      const main = (await listAllRefs(imports.db, project.id)).find(({ name }) => name === mainRef)?.sha ?? null;
      const isKnown = main !== null && (main.equals(tip) || (await isAncestor(git, directory, tip, main)));
      const commands: RefUpdate[] = [
        // If main already has the tip, main does not move, because the project may be ahead of its source.
        ...(isKnown ? [] : [{ name: mainRef, from: main, to: tip }]),
        ...tags.map(({ name, sha }) => ({ name, from: null, to: sha })),
      ];
      const cause = causeOfRun(userId, requestId);
      const refused = await storeReceived(imports, { userId, projectId: project.id, cause }, commands, directory);
      const reason = refused.get(mainRef);
      if (reason?.includes('non-fast-forward')) {
        throw new ImportError(await whyDiverged(git, directory, main, tip));
      }
      if (reason) throw new ImportError(reason);
    }),
  );
}
