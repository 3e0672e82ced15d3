import * as Y from 'yjs';
import type { Queries } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import { placeInBranch } from './branch-paths.ts';
import { listUnsaved, listUpdates, readSnapshot } from './texts.sql.ts';
import { unpackUpdates } from './update-batch.ts';

/** A live text with changes that its file does not have yet. `state` changes whenever the stored text does. */
export type UnsavedText = { id: string; path: string; state: string };

export async function unsavedTexts(db: Queries, at: HeadAt): Promise<UnsavedText[]> {
  const rows = await listUnsaved(db, at);
  return rows.map(({ id, path, seq }) => ({ id, path: placeInBranch(path).path, state: `${id} ${seq}` }));
}

/** The stored text. Undefined if it is gone. */
export async function readUnsaved(db: Queries, id: string): Promise<string | undefined> {
  const row = await readSnapshot(db, id);
  if (!row) return undefined;
  const document = new Y.Doc();
  const updates = await listUpdates(db, id, row.snapshot_seq);
  document.transact(() => {
    for (const update of [row.snapshot, ...updates.flatMap(({ content }) => unpackUpdates(content))]) {
      Y.applyUpdate(document, update);
    }
  });
  const text = document.getText('content').toString();
  document.destroy();
  return text;
}
