import type { Queries } from '../../foundation/db/index.ts';
import { type HeadAt, isMain, refOf } from '../objects/ref-names.ts';
import { branchView, findIdInView, findInView, type View, type ViewedRow } from './branch-view.service.ts';
import { findFileAt, findFileOf, type HeadFileRow } from './contents.sql.ts';
import { readHeads } from './files.sql.ts';
import { readBlob } from './objects.service.ts';

/** Files at the head of any branch, with their contents, for live editing. */

export async function fileAtHead(db: Queries, at: HeadAt, path: string): Promise<HeadFileRow | undefined> {
  if (isMain(at)) return findFileAt(db, at.projectId, path);
  const view = await branchView(db, at);
  return view ? withContent(db, view, await findInView(db, view, path)) : undefined;
}

type Known = { fileId: string; path: string };

/** Finds a file by its id, wherever it is now. Otherwise, finds the file at its path. */
export async function fileOfHead(db: Queries, at: HeadAt, known: Known): Promise<HeadFileRow | undefined> {
  if (isMain(at)) return findFileOf(db, { projectId: at.projectId, ...known });
  const view = await branchView(db, at);
  return view ? withContent(db, view, await findKnown(db, view, known)) : undefined;
}

async function findKnown(db: Queries, view: View, { fileId, path }: Known): Promise<ViewedRow | undefined> {
  const isFile = (row: ViewedRow | undefined) => (row?.type === 'file' ? row : undefined);
  const present = isFile(await findInView(db, view, path));
  return present?.id === fileId ? present : (isFile(await findIdInView(db, view, fileId)) ?? present);
}

async function withContent(
  db: Queries,
  { projectId }: View,
  row: ViewedRow | undefined,
): Promise<HeadFileRow | undefined> {
  const blob = row?.type === 'file' ? await readBlob(db, projectId, row.sha) : undefined;
  if (!row || !blob) return undefined;
  const { id, path, sha: blob_sha } = row;
  return { id, path, blob_sha, executable: false, size: blob.size, deflated: blob.deflated };
}

type WantedHead = HeadAt & Known & { id: string };
type FoundHead = { id: string; file_id: string | null; path: string | null; blob_sha: Buffer | null };

/** The current path and content of several files, by ids that the caller knows. */
export async function readHeadsOf(db: Queries, wanted: WantedHead[]): Promise<FoundHead[]> {
  const onMain = wanted.filter(isMain);
  const heads: FoundHead[] = onMain.length > 0 ? await readHeads(db, onMain) : [];
  const others = Map.groupBy(
    wanted.filter((one) => !isMain(one)),
    (one) => `${one.projectId} ${refOf(one)}`,
  );
  for (const ofBranch of others.values()) {
    const [first] = ofBranch;
    const view = first && (await branchView(db, first));
    for (const { id, ...known } of ofBranch) {
      const row = view ? await findKnown(db, view, known) : undefined;
      heads.push({ id, file_id: row?.id ?? null, path: row?.path ?? null, blob_sha: row?.sha ?? null });
    }
  }
  return heads;
}
