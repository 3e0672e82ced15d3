import type { ClientMessage, ServerMessage } from '@bottega/contract';
import { createPace } from '../../foundation/concurrency/pace.ts';
import { AppError, forbidden, invalid } from '../../foundation/http/index.ts';
import { protectedBranch } from '../../projects/access/index.ts';
import { dropCursor, moveCursor } from './cursors.ts';
import { applyEdit } from './edits.ts';
import { operateOnFile } from './file-operations.ts';
import { sendFileState } from './file-state.ts';
import type { Member } from './members.ts';
import { openFor } from './open-files.ts';
import { largeTextBytes } from './opening.ts';
import type { Engine, Room } from './room.ts';
import { saveAndTell } from './saving.ts';

/** The sender of a message, and the room it arrives in. */
export type MessageContext = { engine: Engine; room: Room; member: Member };

type Message<Type extends ClientMessage['type']> = Extract<ClientMessage, { type: Type }>;

/**
 * Handles a message. Returns undefined if there is nothing to wait for, because an edit of an open text is applied
 * immediately.
 */
export function handleMessage(context: MessageContext, message: ClientMessage): Promise<void> | undefined {
  const { engine, room, member } = context;
  switch (message.type) {
    case 'cursor_move': {
      mustHave(member, 'read');
      const { position, selection_end: selectionEnd } = message;
      return void moveCursor(room, member, message.file_path, { position, selectionEnd });
    }
    case 'code_change': {
      mustHave(member, 'write');
      const arrivedAt = performance.now();
      const text = room.texts.get(message.file_path);
      if (text) return applyEdit(context, text, message, arrivedAt);
      return openFor(context, message.file_path).then((opened) => applyEdit(context, opened, message, arrivedAt));
    }
    case 'open_file':
      return openFile(context, message);
    case 'close_file':
      return void closeFile(context, message);
    case 'save':
      return save(context, message);
    case 'file_operation':
      return operate(context, message);
    case 'comment':
      mustHave(member, 'comment');
      return engine.comment(member.peer, message.comment).then(() => ack(member, { ...seqOf(message), durable: true }));
    case 'ping':
      return void member.peer.send({ type: 'pong', timestamp: new Date().toISOString(), ...seqOf(message) });
  }
}

function mustHave({ peer }: Member, right: 'read' | 'write' | 'comment'): void {
  if (peer.may(right)) return;
  if (right === 'write' && peer.isKeptOut()) throw protectedBranch(peer.branch);
  throw forbidden(`You do not have permission to ${right} in this session`);
}

function ack({ peer }: Member, fields: Omit<Extract<ServerMessage, { type: 'ack' }>, 'type'>): void {
  peer.send({ type: 'ack', ...fields });
}

export const seqOf = (message: ClientMessage): { seq?: number } =>
  'seq' in message && message.seq !== undefined ? { seq: message.seq } : {};

/** How many times an opening is tried if others close the text at the same time, for example by moving its file. */
const maxOpenings = 5;

async function openFile(context: MessageContext, message: Message<'open_file'>): Promise<void> {
  mustHave(context.member, 'read');
  const { branch } = context.room;
  if (message.branch !== undefined && message.branch !== branch)
    throw invalid('branch', `must be ${branch}, the branch of the session`);
  const pace = createPace();
  for (let tries = 0; tries < maxOpenings; tries++) {
    const text = await openFor(context, message.file_path);
    // Keeps the text open for the member. If the text is already being closed, it is closed anyway, and then opened
    // again.
    context.member.openTexts.add(text);
    if (text.lines.bytes > largeTextBytes) await pace.maybeYield();
    if (await sendFileState(context.member, text, message.seq)) return;
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The file is being opened and closed too often; try again later');
}

function closeFile({ room, member }: MessageContext, message: Message<'close_file'>): void {
  const { file_path: path } = message;
  const text = room.texts.get(path);
  if (text) {
    member.openTexts.delete(text);
    member.subscriptions.delete(text);
    member.closedPaths.add(path);
    dropCursor(room, member, path);
  }
  ack(member, { ...seqOf(message), file_path: path, durable: true });
}

async function save(context: MessageContext, message: Message<'save'>): Promise<void> {
  const { engine, room, member } = context;
  mustHave(member, 'write');
  const { file_path: path } = message;
  const texts = path === undefined ? [...room.texts.values()] : [await openFor(context, path)];
  for (const text of texts) {
    const saved = await saveAndTell(engine, room, text, 'asked');
    if (!saved || message.seq === undefined) continue;
    const { commit: commit_sha, revision } = saved;
    member.peer.send({ type: 'saved', file_path: text.path, commit_sha, revision, seq: message.seq });
  }
}

async function operate({ engine, room, member }: MessageContext, message: Message<'file_operation'>): Promise<void> {
  mustHave(member, 'write');
  engine.countOperation(member.peer.sessionId);
  await operateOnFile(engine, room, member, message);
  ack(member, { ...seqOf(message), file_path: message.new_path ?? message.file_path, durable: true });
}
