import type { ServerMessage, TextPosition } from '@bottega/contract';
import type { Connection } from '@hocuspocus/server';
import type { Author } from './lines.ts';
import type { LiveText } from './live-text.ts';
import type { LivePeer } from './peer.ts';

export type Cursor = {
  position: TextPosition;
  selectionEnd: TextPosition | undefined;
  /** The id under which the other clients see this Yjs client. */
  clientId: number;
  publishedAt: number;
};

/**
 * A document that is open through Yjs, the frame that confirms its updates, and the number of frames that Hocuspocus is
 * still handling.
 */
export type YjsDocument = { connection: Connection; confirmation: Uint8Array; waiting: number };

/** One socket, as the texts know it. */
export type Member = {
  peer: LivePeer;
  author: Author;
  /** Texts that stay open for this member, because it has opened or edited them with a message. */
  openTexts: Set<LiveText>;
  /** Texts of which the member has received a revision, and so receives every later one. */
  subscriptions: WeakSet<LiveText>;
  /** Texts that the member has opened through Yjs. */
  yjsTexts: Set<LiveText>;
  /** The same texts, by the address that their frames begin with. */
  yjsDocuments: Map<string, YjsDocument>;
  /** Number of the member's Yjs connections. A client may have several to one document. */
  yjsConnections: number;
  /** Paths that the member has closed. It receives nothing about them until it opens them again. */
  closedPaths: Set<string>;
  cursors: Map<string, Cursor>;
};

export function createMember(peer: LivePeer): Member {
  return {
    peer,
    author: { userId: peer.user.id, sessionId: peer.sessionId, peerId: peer.id, requestId: peer.requestId },
    openTexts: new Set(),
    subscriptions: new WeakSet(),
    yjsTexts: new Set(),
    yjsDocuments: new Map(),
    yjsConnections: 0,
    closedPaths: new Set(),
    cursors: new Map(),
  };
}

/** Keeps the text open for the member, who now gets every revision. */
export function subscribe(member: Member, text: LiveText): void {
  member.openTexts.add(text);
  member.subscriptions.add(text);
  member.closedPaths.delete(text.path);
}

type Members = Iterable<Member>;

/**
 * Whether a member receives a change as a message. Members that have the text open receive it, and so do the other
 * members of the author's session. A member that has closed the file does not receive it. Neither does a member that
 * has it open only through Yjs, because it receives everything that way.
 */
export function receives(member: Member, text: LiveText, sessionId: string | null): boolean {
  if (!member.peer.takesText) return false;
  if (member.subscriptions.has(text)) return true;
  return member.peer.sessionId === sessionId && !member.closedPaths.has(text.path) && !member.yjsTexts.has(text);
}

export const recipientsOf = (members: Members, text: LiveText, sessionId: string | null): Member[] =>
  [...members].filter((member) => receives(member, text, sessionId));

export const hasRecipients = (members: Members, text: LiveText, sessionId: string | null): boolean =>
  [...members].some((member) => receives(member, text, sessionId));

/** Members that have the file open in any way, for messages about the file itself. */
export const editorsOf = (members: Members, text: LiveText): Member[] =>
  [...members].filter(
    ({ openTexts, subscriptions, yjsTexts }) => openTexts.has(text) || subscriptions.has(text) || yjsTexts.has(text),
  );

export const membersOfSession = (members: Members, sessionId: string): Member[] =>
  [...members].filter(({ peer }) => peer.sessionId === sessionId);

export function isInUse(members: Members, text: LiveText): boolean {
  if (text.document.connections.size > 0) return true;
  for (const { openTexts } of members) if (openTexts.has(text)) return true;
  return false;
}

/** Serialises the message once for any number of members. */
export function sendToAll(members: Members, message: ServerMessage, exceptPeer?: string): void {
  let serialised: string | null = null;
  for (const { peer } of members) {
    if (peer.id === exceptPeer) continue;
    serialised ??= JSON.stringify(message);
    peer.sendSerialised(serialised);
  }
}

/** The service sets these fields, whatever a client sends. */
export const stamp = (userId: string) => ({ user_id: userId, timestamp: new Date().toISOString() });
