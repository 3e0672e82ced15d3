import { transaction } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { findById } from '../../repository/store/index.ts';
import type { Engine, Room } from './room.ts';
import { type AbandonedText, listAbandoned, markRemoved } from './texts.sql.ts';

const mostAtOnce = 20;

type Open = (projectId: string, path: string, userId: string) => Promise<unknown>;

/**
 * A node that died has stored what was typed, but may not have saved it, and maybe nobody returns to the file. Such a
 * text is opened in the name of the user who typed last. Then it is saved like any text that nobody has open, and
 * closed.
 */
export async function recoverTexts(engine: Engine, rooms: Map<string, Room>, open: Open): Promise<void> {
  for (const text of await listAbandoned(engine.db, [...rooms.keys()], mostAtOnce)) {
    if (isOpen(rooms, text)) continue;
    await recover(engine, text, open).catch((error: unknown) => {
      // Another node owns it, it is too large for the memory that is left, or it is no longer text: this may change.
      if (!(error instanceof AppError)) engine.onError(error, 'failed to save a live text of a dead node');
    });
  }
}

const isOpen = (rooms: Map<string, Room>, { id, project_id }: AbandonedText): boolean =>
  [...(rooms.get(project_id)?.texts.values() ?? [])].some((text) => text.id === id);

async function recover(
  { db }: Engine,
  { id, project_id, file_id, author_id }: AbandonedText,
  open: Open,
): Promise<void> {
  const file = await findById(db, project_id, file_id);
  if (file) await open(project_id, file.path, author_id);
  else await transaction(db, (trx) => markRemoved(trx, id));
}
