import { BudgetExceeded } from '../../foundation/concurrency/budget.ts';
import type { LiveText } from './live-text.ts';
import { type Member, membersOfSession } from './members.ts';
import { openText } from './opening.ts';
import type { Engine, Room } from './room.ts';

/**
 * Limits of open texts, opened with messages or through Yjs, for one socket and for all sockets of a session together.
 */
export const maxPerSocket = 100;
const maxPerSession = 500;

type Opening = { engine: Engine; room: Room; member: Member };

/** Opens a text for a member, within the limits of a socket and a session. */
export async function openFor({ engine, room, member }: Opening, path: string): Promise<LiveText> {
  if (!isOpenFor(member, path)) mustHaveFreeFile(room, member);
  return openText(engine, room, { path, userId: member.author.userId });
}

const isOpenFor = ({ openTexts, yjsTexts }: Member, path: string): boolean =>
  [...openTexts, ...yjsTexts].some((text) => text.path === path);

function mustHaveFreeFile(room: Room, member: Member): void {
  const ofSession = membersOfSession(room.members, member.peer.sessionId);
  const open = new Set(ofSession.flatMap(({ openTexts, yjsTexts }) => [...openTexts, ...yjsTexts]));
  if (member.openTexts.size + member.yjsConnections < maxPerSocket && open.size < maxPerSession) return;
  throw new BudgetExceeded({
    name: 'live files',
    message: `A socket can have at most ${maxPerSocket} files open, and a session ${maxPerSession}; close some`,
  });
}
