import { transaction } from '../../foundation/db/index.ts';
import { AppError, causeOfRun } from '../../foundation/http/index.ts';
import { lockKnownProject } from '../../projects/index.ts';
import { isMain } from '../../repository/objects/ref-names.ts';
import {
  type Change,
  findCommit,
  findTip,
  makeBranch,
  prepareBlob,
  writeLocked,
} from '../../repository/store/index.ts';
import { endSessionsOfBranch } from '../sessions/index.ts';
import { closeText } from './closing.ts';
import type { LiveText } from './live-text.ts';
import { sendToAll } from './members.ts';
import type { Engine, Room } from './room.ts';
import { mustOwn } from './storing.ts';
import { findOwner } from './texts.sql.ts';

/** Remembers the branch's commit. If the branch is deleted, a new branch can start from that commit. */
export async function rememberTip({ db }: Engine, room: Room): Promise<void> {
  if (isMain(room)) return;
  const tip = await findTip(db, room.projectId, room.branch);
  if (tip) room.tip = tip.sha;
}

export async function isBranchDeleted({ db }: Engine, room: Room): Promise<boolean> {
  return !isMain(room) && !(await findTip(db, room.projectId, room.branch));
}

/**
 * Runs in the room's queue once the branch is deleted. Unsaved text becomes a commit on a new branch,
 * which starts where the deleted one ended. The sessions of the branch end.
 */
export async function leaveDeletedBranch(engine: Engine, room: Room): Promise<void> {
  const unsaved = [...room.texts.values()].filter(({ saves }) => saves.name !== 'saved');
  const savedTo = unsaved.length > 0 && room.tip ? await saveElsewhere(engine, room, unsaved, room.tip) : null;
  const message = `The branch ${room.branch} was deleted${savedTo ? `. Unsaved text is on the branch ${savedTo}` : ''}`;
  const details = { branch: room.branch, ...(savedTo && { saved_to: savedTo }) };
  sendToAll(room.members, { type: 'error', code: 'NOT_FOUND', message, details });
  for (const text of [...room.texts.values()])
    await closeText(engine, room, text, { reason: 'the branch was deleted' });
  await transaction(engine.db, (trx) => endSessionsOfBranch(trx, room));
}

const maxNames = 100;

async function saveElsewhere(engine: Engine, room: Room, texts: LiveText[], tip: Buffer): Promise<string | null> {
  const { projectId } = room;
  const author = texts.flatMap(({ saves }) => [...saves.authors.keys()])[0];
  const changes = await Promise.all(
    texts.map(async ({ path, lines }): Promise<Change> => {
      const blob = await prepareBlob(Buffer.from(lines.whole));
      return { action: 'put', path, blob, expect: 'any' };
    }),
  );
  return transaction(engine.db, async (trx) => {
    await mustOwn(engine, trx, room);
    const actor = author ?? (await findOwner(trx, projectId));
    const project = actor === undefined ? undefined : await lockKnownProject(trx, projectId, actor);
    const commit = await findCommit(trx, projectId, tip);
    if (!project || !commit) return null;
    const branch = await freeName(async (name) => !(await findTip(trx, projectId, name)), `${room.branch}-unsaved`);
    await makeBranch(trx, { projectId, branch }, commit, room.branch);
    await writeLocked(trx, project, {
      branch,
      changes,
      message: `Save text of the deleted branch ${room.branch}`,
      cause: causeOfRun(project.actor.id),
      quota: engine.quota,
      publicUrl: engine.publicUrl(),
    });
    for (const { saves } of texts) saves.saved();
    return branch;
  });
}

async function freeName(isFree: (name: string) => Promise<boolean>, wanted: string): Promise<string> {
  for (let number = 1; number <= maxNames; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (await isFree(name)) return name;
  }
  throw new AppError('CONFLICT', `Branches ${wanted} to ${wanted}-${maxNames} already exist`);
}
