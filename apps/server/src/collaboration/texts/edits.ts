import type { ClientMessage } from '@bottega/contract';
import type { ChangeSet } from '@codemirror/state';
import { AppError, unavailable } from '../../foundation/http/index.ts';
import { tooMuch } from './allowance.ts';
import { sendResync } from './file-state.ts';
import { growthOf, type LiveChange } from './lines.ts';
import type { LiveText } from './live-text.ts';
import { type Member, subscribe } from './members.ts';
import type { Engine } from './room.ts';

type CodeChangeMessage = Extract<ClientMessage, { type: 'code_change' }>;

/**
 * Applies a client's change immediately. Acknowledges it twice: as applied now, and as durable later. Returns undefined
 * if there is nothing to wait for.
 */
export function applyEdit(
  { engine, member }: { engine: Engine; member: Member },
  text: LiveText,
  message: CodeChangeMessage,
  arrivedAt: number,
): Promise<void> | undefined {
  const { lines, outbox, path } = text;
  if (outbox.pendingBytes > engine.limits.unstoredBytes || lines.revision >= text.reservedRevision) {
    throw unavailable('changes wait for the database');
  }
  subscribe(member, text);
  const change = changeMadeBefore(text, member, message) ?? makeChange(engine, text, member, message);
  if (change === 'unknown base') {
    engine.metrics.resynced();
    return sendResync(member, text, message.seq);
  }
  const seq = message.seq === undefined ? {} : { seq: message.seq };
  const applied = { revision: change?.revision ?? lines.revision, changes: change?.codeChanges() ?? [] };
  const ack = { type: 'ack', ...seq, file_path: path, ...applied } as const;
  member.peer.send({ ...ack, durable: false });
  outbox.whenStored(() => member.peer.send({ ...ack, durable: true }));
  engine.metrics.lagged(performance.now() - arrivedAt);
  return undefined;
}

type Made = Pick<LiveChange, 'revision' | 'codeChanges'> | null;

/**
 * Names a change, so that it is not applied twice. A client that lost its connection sends unacknowledged changes
 * again, and they may have been applied.
 */
const nameOf = ({ author }: Member, id: string): string => `${author.userId} ${id}`;

function changeMadeBefore({ lines }: LiveText, member: Member, { id }: CodeChangeMessage): Made {
  return id === undefined ? null : lines.find(nameOf(member, id));
}

/** Makes the change in the text. Null if nothing changes. */
function makeChange(engine: Engine, text: LiveText, member: Member, message: CodeChangeMessage): Made | 'unknown base' {
  const { lines } = text;
  const changes = lines.resolve(message.changes, message.base_revision);
  if (!changes) return 'unknown base';
  mustHaveSpace(engine, text, changes);
  const change = lines.edit(changes, member.author);
  if (change && message.id !== undefined) lines.nameLast(nameOf(member, message.id));
  return change;
}

function mustHaveSpace({ limits, allowance }: Engine, text: LiveText, changes: ChangeSet): void {
  const growth = growthOf(changes, text.lines.text);
  if (growth <= 0) return;
  if (!allowance.mayGrow(text)) throw tooMuch();
  if (text.lines.bytes + growth > limits.fileBytes) {
    throw new AppError('VALIDATION_ERROR', `A file that is edited live can have at most ${limits.fileBytes} bytes`);
  }
}
