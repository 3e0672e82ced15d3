import { type ClientMessage, whyNotPath } from '@bottega/contract';
import { transaction } from '../../foundation/db/index.ts';
import { AppError, causeOfRun, invalid, notFound } from '../../foundation/http/index.ts';
import { mustBeActive } from '../../projects/access/index.ts';
import { lockKnownProject } from '../../projects/index.ts';
import { type Change, decodeContent, prepareBlob, writeLocked } from '../../repository/store/index.ts';
import { broadcastOperation } from './broadcast.ts';
import { closeText } from './closing.ts';
import type { Author } from './lines.ts';
import { type Member, membersOfSession } from './members.ts';
import type { Engine, Room } from './room.ts';
import { mustOwn } from './storing.ts';
import { markTextRemoved, moveTextOf } from './texts.sql.ts';

type Operation = Extract<ClientMessage, { type: 'file_operation' }>;

/** Creates, moves or deletes a file in one commit for the caller. An open text is moved or closed with its file. */
export async function operateOnFile(engine: Engine, room: Room, member: Member, operation: Operation): Promise<void> {
  const { file_path: path, new_path: newPath } = operation;
  const change = await changeOf(engine, operation);
  const ofSession = () => membersOfSession(room.members, member.author.sessionId);
  const announce = (editors: Member[]) => {
    const done = { operation: operation.operation, path, ...(newPath !== undefined && { newPath }) };
    broadcastOperation(new Set([...ofSession(), ...editors]), done, member.author);
  };
  const reason = newPath === undefined ? 'deleted' : `renamed to ${newPath}`;
  await engine.writeQueue(room.projectId, () =>
    room.queue(async () => {
      await commitOperation(engine, room, { operation, change, author: member.author });
      const text = operation.operation === 'create' ? undefined : room.texts.get(path);
      if (text) await closeText(engine, room, text, { reason, announce });
      else announce([]);
    }),
  );
}

type Committed = { operation: Operation; change: Change; author: Author };

async function commitOperation(engine: Engine, room: Room, { operation, change, author }: Committed): Promise<void> {
  const { userId, requestId } = author;
  const { projectId } = room;
  const { file_path: path, new_path: newPath } = operation;
  await transaction(engine.db, async (trx) => {
    await mustOwn(engine, trx, room);
    const project = await lockKnownProject(trx, projectId, userId);
    if (!project) throw notFound('Project');
    mustBeActive(project);
    await writeLocked(trx, project, {
      branch: room.branch,
      changes: [change],
      message: messageOf(operation),
      cause: causeOfRun(userId, requestId),
      quota: engine.quota,
      publicUrl: engine.publicUrl(),
    });
    if (operation.operation === 'delete') await markTextRemoved(trx, room, path);
    if (newPath !== undefined) await moveTextOf(trx, { at: room, path, newPath });
  });
}

async function changeOf({ fileLimit }: Engine, operation: Operation): Promise<Change> {
  const path = pathOf(operation.file_path, 'file_path');
  if (operation.operation === 'delete') return { action: 'delete', path };
  if (operation.operation === 'rename') {
    if (operation.new_path === undefined) throw invalid('new_path', 'is required');
    return { action: 'move', path, newPath: pathOf(operation.new_path, 'new_path') };
  }
  const content = operation.content ?? '';
  const bytes = decodeContent({ content, encoding: 'utf-8', field: 'content', limit: fileLimit });
  return { action: 'put', path, blob: await prepareBlob(bytes), expect: 'new' };
}

function pathOf(path: string, field: string): string {
  const reason = whyNotPath(path);
  if (reason) throw invalid(field, reason);
  return path;
}

function messageOf({ operation, file_path: path, new_path: newPath }: Operation): string {
  if (operation === 'rename') return `Move to ${newPath}`;
  return `${operation === 'create' ? 'Write' : 'Delete'} ${path.slice(path.lastIndexOf('/') + 1)}`;
}

/** Counts operations in the last minute by session. Older ones are dropped when the next one is counted. */
export function countOperations(max: number): (sessionId: string) => void {
  const windows = new Map<string, number[]>();
  return (sessionId) => {
    const now = Date.now();
    for (const [id, times] of windows) if ((times.at(-1) ?? 0) < now - 60_000) windows.delete(id);
    const times = (windows.get(sessionId) ?? []).filter((time) => time > now - 60_000);
    const [first = now] = times;
    if (times.length >= max) {
      const details = { limit: max, window: 60, reset_at: new Date(first + 60_000).toISOString() };
      throw new AppError('RATE_LIMIT_EXCEEDED', `A session allows ${max} file operations per minute`, { details });
    }
    windows.set(sessionId, [...times, now]);
  };
}
