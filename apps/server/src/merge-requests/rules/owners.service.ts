import { BudgetExceeded, createBudget } from '../../foundation/concurrency/budget.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import { entryAt, infoOf, readBlob } from '../../repository/store/index.ts';
import { largestOwnersFile, lineFor, type OwnersLine, readOwnersFile } from './code-owners.ts';

/** The places of the file. The first that exists counts. */
const places = ['/CODEOWNERS', '/.bottega/CODEOWNERS', '/.github/CODEOWNERS', '/docs/CODEOWNERS'];
/** Limits for finding the owners of all changed files. */
const limits = { entries: 30_000_000, ms: 3_000 };
const isFile = (mode: number): boolean => mode === 0o100644 || mode === 0o100755;

/** Changed files with the same owners. */
export type OwnedFiles = { owners: readonly string[]; count: number; first: string };

type Asked = { projectId: string; tree: Buffer; changedPaths: readonly string[] };

/**
 * The owners of changed files according to the CODEOWNERS file of a tree, or the reason why they cannot be determined.
 * Files without owners are left out. A CODEOWNERS file that cannot be read is an error, because otherwise no approval
 * would be required.
 */
export async function ownersOf(db: Queries, asked: Asked): Promise<OwnedFiles[] | string> {
  const found = await findOwnersFile(db, asked);
  if (!found) return [];
  const name = found.path.slice(1);
  if (found.text === null) return `${name} has more than ${largestOwnersFile / 2 ** 20} MiB`;
  const budget = createBudget({ name: 'code owners', ...limits, message: 'it has too many patterns for this change' });
  const file = await readOwnersFile(found.text, budget);
  if (typeof file === 'string') return `${name} cannot be used: ${file}`;
  const files = new Map<OwnersLine, OwnedFiles>();
  try {
    for (const path of asked.changedPaths) {
      const line = await lineFor(file, path, budget);
      if (!line || line.owners.length === 0) continue;
      const { count = 0, first = path } = files.get(line) ?? {};
      files.set(line, { owners: line.owners, count: count + 1, first });
    }
  } catch (error) {
    if (error instanceof BudgetExceeded) return `${name} cannot be used: ${error.message}`;
    throw error;
  }
  return [...files.values()];
}

async function findOwnersFile(
  db: Queries,
  { projectId, tree }: Asked,
): Promise<{ path: string; text: string | null } | null> {
  for (const path of places) {
    const entry = await entryAt(db, projectId, { tree, path });
    if (!entry || !isFile(entry.mode)) continue;
    const size = (await infoOf(db, projectId, [entry.sha])).get(entry.sha.toString('hex'))?.size ?? 0;
    if (size > largestOwnersFile) return { path, text: null };
    const blob = await readBlob(db, projectId, entry.sha);
    if (!blob) throw new Error('a file of the target is not stored');
    return { path, text: (await inflateObjectAsync(blob.deflated, blob.size)).toString('utf8') };
  }
  return null;
}
