import type { Plan } from '@bottega/contract';
import { LRUCache } from 'lru-cache';
import type { PlanLimits } from '../../foundation/config/index.ts';
import type { Queries, Trx } from '../../foundation/db/index.ts';
import { forbidden } from '../../foundation/http/index.ts';
import { findOwner, mustHaveStorage, sumStoredBytes, type WritableProject } from '../../projects/index.ts';
import { type HeadAt, isMain } from '../objects/ref-names.ts';
import { countBranch } from './branch-view.service.ts';
import { countFiles } from './files.sql.ts';

/** Checked at the end of a write in its transaction, so that a refusal rolls back the write. */
export type Quota = (trx: Trx, project: WritableProject, added: Added) => Promise<void>;
type Added = { branch: string; files: number; bytes: number };

/** Maximum number of files at the head of a project. It is read before a push locks the project. */
export type MostFiles = (db: Queries, projectId: string) => Promise<number>;

/** Bytes that the owner's plan has left. It is read before a pack is received. Null means no limit. */
export type StorageLeft = (db: Queries, projectId: string) => Promise<number | null>;

export function planStorage(plans: Record<Plan, PlanLimits>): StorageLeft {
  return async (db, projectId) => {
    const { userId, plan } = await findOwner(db, projectId);
    const { storedBytes } = plans[plan];
    return storedBytes === null ? null : Math.max(0, storedBytes - (await sumStoredBytes(db, userId)));
  };
}

/** The limit if the plan sets none: as many files as one walk over the tree may read. */
const maxFilesAtHead = 200_000;

export function planFiles(plans: Record<Plan, PlanLimits>): MostFiles {
  return async (db, projectId) => {
    const { plan } = await findOwner(db, projectId);
    return maxFilesOf(plans[plan]);
  };
}

export const maxFilesOf = ({ files }: PlanLimits): number => files ?? maxFilesAtHead;

const rememberMs = 10_000;

/** Share of a limit that a write may use without a new calculation of the sum. */
const small = 1 / 64;

/**
 * The limits of the owner's plan. Files are counted exactly. Bytes are added up over all projects of the owner, so the
 * sum is cached for some seconds while it is far from the limit. Near the limit, and for a large write, it is computed
 * again.
 */
export function planQuota(plans: Record<Plan, PlanLimits>): Quota {
  const remembered = new LRUCache<string, number>({ max: 10_000, ttl: rememberMs });
  return async (trx, project, added) => {
    const { files, storedBytes } = plans[project.owner_plan];
    if (
      files !== null &&
      added.files > 0 &&
      (await filesOn(trx, { projectId: project.id, branch: added.branch })) > files
    ) {
      throw forbidden(`The ${project.owner_plan} plan allows ${files} files per project`);
    }
    if (storedBytes === null || added.bytes <= 0) return;
    const known = remembered.get(project.owner_id);
    const isSmall = added.bytes < storedBytes * small;
    if (isSmall && known !== undefined && known + added.bytes < storedBytes * 0.9) {
      remembered.set(project.owner_id, known + added.bytes, { noUpdateTTL: true });
      return;
    }
    const owner = { userId: project.owner_id, plan: project.owner_plan };
    remembered.set(project.owner_id, await mustHaveStorage(trx, owner, { storedBytes }));
  };
}

const filesOn = (trx: Trx, at: HeadAt): Promise<number> =>
  isMain(at) ? countFiles(trx, at.projectId) : countBranch(trx, at);
