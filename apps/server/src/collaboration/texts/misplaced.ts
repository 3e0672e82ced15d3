import { transaction } from '../../foundation/db/index.ts';
import { readsOf } from '../../repository/store/index.ts';
import { followFile } from './file-changes.ts';
import type { Engine, Room } from './room.ts';
import { mustOwn } from './storing.ts';
import { listMisplaced, moveText, moveTextUnlessTaken } from './texts.sql.ts';

/**
 * Moves stored texts to the current paths of their files. Runs in the room's queue, before a file is opened, because
 * files can move while nobody has them open. So a text is neither left behind nor mistaken for the text of another file
 * that is now at its path.
 */
export async function settleTexts(engine: Engine, room: Room, file: { id: string; path: string }): Promise<void> {
  const open = [...room.texts.values()].find(({ fileId, path }) => fileId === file.id && path !== file.path);
  if (open) await followFile(engine, room, open);
  const misplaced = await listMisplaced(engine.db, { at: room, path: file.path, fileId: file.id });
  if (misplaced.length === 0) return;
  await transaction(engine.db, async (trx) => {
    await mustOwn(engine, trx, room);
    const head = await readsOf(trx, room);
    for (const { id, file_id: fileId } of misplaced) {
      // The text at this path either belongs to a file that has moved, or its file is gone and this file has replaced
      // it.
      const its = fileId === file.id ? null : await head.findById(fileId);
      if (its) await moveTextUnlessTaken(trx, { id, at: room, path: its.path });
      else if (its === null) await moveText(trx, { id, at: room, path: file.path });
    }
  });
}
