import type { ServerMessage } from '@bottega/contract';
import type { LiveChange } from './lines.ts';
import type { LiveText } from './live-text.ts';
import { type Member, receives, sendToAll, stamp } from './members.ts';

/** Sends a revision to its recipients. A client whose message caused it gets an ack instead. */
export function broadcastRevision(members: Iterable<Member>, text: LiveText, change: LiveChange): void {
  const { author, by, revision, userId } = change;
  const recipients = [...members].filter(
    (member) => !(by === 'json' && member.author === author) && receives(member, text, author?.sessionId ?? null),
  );
  if (recipients.length === 0) return;
  const message: ServerMessage = {
    type: 'code_change',
    ...stamp(userId),
    file_path: text.path,
    changes: change.codeChanges(),
    revision,
  };
  for (const { subscriptions } of recipients) subscriptions.add(text);
  sendToAll(recipients, message);
}

export type FileOperation = { operation: 'create' | 'delete' | 'rename'; path: string; newPath?: string };

/** The user who made the change, and the socket if it was made in a session. */
type Actor = { userId: string; peerId?: string };

export function broadcastOperation(
  recipients: Iterable<Member>,
  { operation, path, newPath }: FileOperation,
  { userId, peerId }: Actor,
): void {
  const message: ServerMessage = {
    type: 'file_operation',
    ...stamp(userId),
    operation,
    file_path: path,
    ...(newPath !== undefined && { new_path: newPath }),
  };
  sendToAll(recipients, message, peerId);
}
