import { createHash } from 'node:crypto';
import type { ClientMessage, ServerMessage } from '@bottega/contract';
import { AppError, forbidden, unavailable } from '../../foundation/http/app-error.ts';
import { tooMuch } from './allowance.ts';
import { dropCursor, moveCursor } from './cursors.ts';
import { operateOnFile } from './file-operations.ts';
import { growthOf, type LiveText } from './live-text.ts';
import { asCodeChanges } from './positions.ts';
import type { Engine, Member, Room } from './room.ts';
import { saveAndTell } from './saving.ts';

/** Where a message arrives. */
export type Scene = {
  engine: Engine;
  room: Room;
  member: Member;
  open(path: string): Promise<LiveText>;
  countOperation(sessionId: string): void;
};

type Of<Type extends ClientMessage['type']> = Extract<ClientMessage, { type: Type }>;

/** Undefined where nothing has to be waited for: an edit of a text that is open is applied at once. */
export function handleMessage(scene: Scene, message: ClientMessage): Promise<void> | undefined {
  const { room, member, open } = scene;
  switch (message.type) {
    case 'cursor_move': {
      mustHave(member, 'read');
      const { position, selection_end: selectionEnd } = message;
      return void moveCursor(room, member, message.file_path, { position, selectionEnd });
    }
    case 'code_change': {
      mustHave(member, 'write');
      const arrived = performance.now();
      const text = room.texts.get(message.file_path);
      if (text) return edit(scene, text, message, arrived);
      return open(message.file_path).then((opened) => edit(scene, opened, message, arrived));
    }
    case 'open_file':
      mustHave(member, 'read');
      return open(message.file_path).then((text) => sendState(member, text, message));
    case 'close_file':
      return void closeFile(scene, message);
    case 'save':
      return save(scene, message);
    case 'file_operation':
      return operate(scene, message);
    case 'comment':
      mustHave(member, 'comment');
      return scene.engine
        .comment(member.peer, message.comment)
        .then(() => ack(member, { ...seqOf(message), durable: true }));
    case 'ping':
      return void member.peer.send({ type: 'pong', timestamp: new Date().toISOString(), ...seqOf(message) });
  }
}

function mustHave({ peer }: Member, right: 'read' | 'write' | 'comment'): void {
  if (!peer.may(right)) throw forbidden(`You may not ${right} in this session`);
}

function ack({ peer }: Member, fields: Omit<Extract<ServerMessage, { type: 'ack' }>, 'type'>): void {
  peer.send({ type: 'ack', ...fields });
}

export const seqOf = (message: ClientMessage): { seq?: number } =>
  'seq' in message && message.seq !== undefined ? { seq: message.seq } : {};

function edit(
  { engine, member }: Scene,
  text: LiveText,
  message: Of<'code_change'>,
  arrived: number,
): Promise<void> | undefined {
  const { limits, metrics, allowance } = engine;
  if (text.unstoredBytes > limits.unstoredBytes || text.revision >= text.reservedRevision) {
    throw unavailable('changes wait for the database');
  }
  hold(member, text);
  const changes = text.resolve(message.changes, message.base_revision);
  if (!changes) {
    metrics.resynced();
    return resync(member, text, message);
  }
  const growth = growthOf(changes, text.text);
  if (growth > 0 && !allowance.mayGrow(text)) throw tooMuch();
  if (growth > 0 && text.bytes + growth > limits.fileBytes) {
    throw new AppError('VALIDATION_ERROR', `A file that is edited live has at most ${limits.fileBytes} bytes`);
  }
  const applied = asCodeChanges(text.text, changes);
  text.edit(changes, member.author);
  const done = { ...seqOf(message), file_path: text.path, revision: text.revision, changes: applied };
  ack(member, { ...done, durable: false });
  text.whenStored(() => ack(member, { ...done, durable: true }));
  metrics.lagged(performance.now() - arrived);
  return undefined;
}

async function resync(member: Member, text: LiveText, message: Of<'code_change'>): Promise<void> {
  if (!(await member.peer.readyForText(text.bytes))) return;
  const { path: file_path, revision } = text;
  member.peer.send({ type: 'resync', file_path, revision, ...stateOf(text), ...seqOf(message) });
}

/** It stays open for the member, who from now on hears of every revision. */
function hold(member: Member, text: LiveText): void {
  member.holds.add(text);
  member.follows.add(text);
  member.closed.delete(text.path);
}

async function sendState(member: Member, text: LiveText, message: ClientMessage): Promise<void> {
  // Held first, or it might be closed meanwhile.
  member.holds.add(text);
  if (!(await member.peer.readyForText(text.bytes))) return;
  hold(member, text);
  const { path: file_path, revision } = text;
  const timestamp = new Date().toISOString();
  member.peer.send({ type: 'file_state', file_path, revision, ...stateOf(text), timestamp, ...seqOf(message) });
}

function stateOf(text: LiveText): { content: string; checksum: string } {
  const content = text.text.toString();
  return { content, checksum: `sha256:${createHash('sha256').update(content).digest('hex')}` };
}

function closeFile({ room, member }: Scene, message: Of<'close_file'>): void {
  const { file_path: path } = message;
  const text = room.texts.get(path);
  if (text) {
    member.holds.delete(text);
    member.follows.delete(text);
    member.closed.add(path);
    dropCursor(room, member, path);
  }
  ack(member, { ...seqOf(message), file_path: path, durable: true });
}

async function save({ engine, room, member, open }: Scene, message: Of<'save'>): Promise<void> {
  mustHave(member, 'write');
  const { file_path: path } = message;
  const texts = path === undefined ? [...room.texts.values()] : [await open(path)];
  for (const text of texts) {
    const saved = await saveAndTell(engine, room, text, 'asked');
    if (!saved || message.seq === undefined) continue;
    const { commit: commit_sha, revision } = saved;
    member.peer.send({ type: 'saved', file_path: text.path, commit_sha, revision, seq: message.seq });
  }
}

async function operate({ engine, room, member, countOperation }: Scene, message: Of<'file_operation'>): Promise<void> {
  mustHave(member, 'write');
  countOperation(member.peer.sessionId);
  await operateOnFile(engine, room, member, message);
  ack(member, { ...seqOf(message), file_path: message.new_path ?? message.file_path, durable: true });
}
