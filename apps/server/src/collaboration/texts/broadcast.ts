import type { ServerMessage } from '@bottega/contract';
import type { LiveChange, LiveText } from './live-text.ts';
import { asCodeChanges } from './positions.ts';
import { type Engine, hears, type Room, stamp } from './room.ts';

/** Tells a change to everyone whom it concerns; serialised once. Whoever made it by a message gets an ack instead. */
export function tellOfChange({ metrics }: Engine, room: Room, text: LiveText, change: LiveChange): void {
  const { author, by, changes, before, revision } = change;
  if (by !== 'yjs') metrics.edited(by);
  const sessionId = author?.sessionId ?? null;
  let serialised: string | null = null;
  for (const member of room.members) {
    if ((by === 'json' && member.author === author) || !hears(member, text, sessionId)) continue;
    serialised ??= JSON.stringify({
      type: 'code_change',
      ...stamp(author?.userId ?? ''),
      file_path: text.path,
      changes: asCodeChanges(before, changes),
      revision,
    } satisfies ServerMessage);
    member.follows.add(text);
    member.peer.sendSerialised(serialised);
  }
}
