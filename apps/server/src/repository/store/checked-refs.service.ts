import type { Trx } from '../../foundation/db/index.ts';
import { checksPrefix } from '../objects/ref-names.ts';
import { collectLater } from './collect.service.ts';
import type { RefUpdate } from './ref-updates.ts';
import { deleteAllButNewest } from './refs.sql.ts';

/** Maximum number of commits of one person that are kept only because they are to be checked. */
const maxOfAPerson = 20;

/**
 * Runs after somebody has pushed commits to be checked. Deletes the oldest references of the same person, and schedules
 * the deletion of others once they are old.
 */
export async function keepFewChecks(trx: Trx, projectId: string, updates: readonly RefUpdate[]): Promise<void> {
  const ofPeople = new Set(updates.flatMap(({ name }) => personOf(name) ?? []));
  if (ofPeople.size === 0) return;
  for (const prefix of ofPeople) await deleteAllButNewest(trx, projectId, prefix, maxOfAPerson);
  await collectLater(trx, projectId);
}

/** The part of the reference's name before the commit's id. Null for any other reference. */
const personOf = (name: string): string | null =>
  name.startsWith(checksPrefix) ? name.slice(0, name.lastIndexOf('/') + 1) : null;
