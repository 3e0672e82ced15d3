import { transaction } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { type HeadAt, isMain } from '../../repository/objects/ref-names.ts';
import { findTip, readHeadsOf } from '../../repository/store/index.ts';
import { placeInBranch } from './branch-paths.ts';
import type { Engine } from './room.ts';
import { type OpenRooms, roomsOf } from './rooms.ts';
import { type AbandonedText, listAbandoned, markRemoved } from './texts.sql.ts';

const maxAtOnce = 20;

type Open = (at: HeadAt, path: string, userId: string) => Promise<unknown>;

/**
 * Saves stored texts that nobody has open. A node that died has stored what was typed, but may not have saved it to the
 * file, and perhaps nobody returns to the file. The same is true of a text whose file was moved before the text was
 * saved. Such a text is opened on behalf of the user who typed last. Then it is saved like any text that nobody has
 * open, and closed.
 */
export async function recoverTexts(engine: Engine, rooms: OpenRooms, open: Open): Promise<void> {
  const owned = [...new Set([...rooms.values()].map(({ projectId }) => projectId))];
  for (const text of await listAbandoned(engine.db, owned, maxAtOnce)) {
    if (isOpen(rooms, text)) continue;
    await recover(engine, text, open).catch((error: unknown) => {
      // These texts are tried again later: another node owns the text, there is not enough memory for it, or its file
      // is no longer text.
      if (!(error instanceof AppError)) engine.onError(error, 'failed to save a live text that nobody has open');
    });
  }
}

const isOpen = (rooms: OpenRooms, { id, project_id }: AbandonedText): boolean =>
  roomsOf(rooms, project_id).some(({ texts }) => [...texts.values()].some((text) => text.id === id));

async function recover(
  { db }: Engine,
  { id, project_id: projectId, path, file_id: fileId, author_id }: AbandonedText,
  open: Open,
): Promise<void> {
  const { branch, path: place } = placeInBranch(path);
  const at = { projectId, branch };
  const [head] = await readHeadsOf(db, [{ ...at, id, fileId, path: place }]);
  if (head?.path != null) await open(at, head.path, author_id);
  // Text of a deleted branch stays, because the branch may be created again.
  else if (isMain(at) || (await findTip(db, projectId, branch))) await transaction(db, (trx) => markRemoved(trx, id));
}
