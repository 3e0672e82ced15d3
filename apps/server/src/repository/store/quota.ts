import type { Plan } from '@bottega/contract';
import { LRUCache } from 'lru-cache';
import type { PlanLimits } from '../../foundation/config/index.ts';
import type { Queries, Trx } from '../../foundation/db/index.ts';
import { forbidden } from '../../foundation/http/index.ts';
import { findOwner, mustHaveStorage, sumStoredBytes, type WritableProject } from '../../projects/index.ts';
import { countFiles } from './files.sql.ts';

/** Asked at the end of a write, within its transaction: refusing undoes the write. */
export type Quota = (trx: Trx, project: WritableProject, added: { files: number; bytes: number }) => Promise<void>;

/** How many files the head of a project may have, asked before a push takes hold of it. */
export type MostFiles = (db: Queries, projectId: string) => Promise<number>;

/** How many bytes the plan of a project's owner has left, asked before a pack is received; null: it sets no limit. */
export type StorageLeft = (db: Queries, projectId: string) => Promise<number | null>;

export function planStorage(plans: Record<Plan, PlanLimits>): StorageLeft {
  return async (db, projectId) => {
    const { userId, plan } = await findOwner(db, projectId);
    const { storedBytes } = plans[plan];
    return storedBytes === null ? null : Math.max(0, storedBytes - (await sumStoredBytes(db, userId)));
  };
}

/** Where the plan sets no limit: as many as one walk over the tree may look at. */
const mostAtHead = 200_000;

export function planFiles(plans: Record<Plan, PlanLimits>): MostFiles {
  return async (db, projectId) => {
    const { plan } = await findOwner(db, projectId);
    return mostFilesOf(plans[plan]);
  };
}

export const mostFilesOf = ({ files }: PlanLimits): number => files ?? mostAtHead;

const rememberMs = 10_000;

/** The part of a limit that a write may have without being summed up with all others. */
const small = 1 / 64;

/**
 * The limits of the owner's plan. Files are counted exactly. Bytes are summed over all of the owner's projects, so the
 * sum is remembered for some seconds while it is far from the limit; close to it, and for a large write, it is made anew.
 */
export function planQuota(plans: Record<Plan, PlanLimits>): Quota {
  const remembered = new LRUCache<string, number>({ max: 10_000, ttl: rememberMs });
  return async (trx, project, added) => {
    const { files, storedBytes } = plans[project.owner_plan];
    if (files !== null && added.files > 0 && (await countFiles(trx, project.id)) > files) {
      throw forbidden(`The ${project.owner_plan} plan allows ${files} files in a project`);
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
