import { BudgetExceeded } from '../../foundation/concurrency/budget.ts';
import type { Member, Room } from './room.ts';

/** Texts that one socket may have open, by messages or by Yjs, and all sockets of a session together. */
export const mostOfSocket = 100;
const mostOfSession = 500;

/** Before a file is opened for a socket that does not have it open yet. */
export function mustHaveRoom(room: Room, member: Member, path: string): void {
  const isOpen = [...member.holds, ...member.editing].some((text) => text.path === path);
  if (isOpen) return;
  const { sessionId } = member.peer;
  const others = [...room.members].filter(({ peer }) => peer.sessionId === sessionId);
  const ofSession = new Set(others.flatMap(({ holds, editing }) => [...holds, ...editing]));
  if (member.holds.size + member.documents >= mostOfSocket || ofSession.size >= mostOfSession) {
    throw new BudgetExceeded({
      name: 'live files',
      message: `A socket has at most ${mostOfSocket} files open live, and a session ${mostOfSession}; close some`,
    });
  }
}
