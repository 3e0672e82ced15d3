import type { Trx } from '../../foundation/db/index.ts';
import { checksPrefix } from '../objects/ref-names.ts';
import { collectLater } from './collect.service.ts';
import type { RefUpdate } from './ref-updates.ts';
import { deleteAllButNewest } from './refs.sql.ts';

/** Maximum number of commits of one person that are kept only because they are checked. */
const maxOfAPerson = 20;

/** After commits arrived that are to be checked: deletes the oldest of the same person, and others once they are old. */
export async function keepFewChecks(trx: Trx, projectId: string, updates: readonly RefUpdate[]): Promise<void> {
  const ofPeople = new Set(updates.flatMap(({ name }) => personOf(name) ?? []));
  if (ofPeople.size === 0) return;
  for (const prefix of ofPeople) await deleteAllButNewest(trx, projectId, prefix, maxOfAPerson);
  await collectLater(trx, projectId);
}

/** The part of the name before the commit. */
const personOf = (name: string): string | null =>
  name.startsWith(checksPrefix) ? name.slice(0, name.lastIndexOf('/') + 1) : null;
