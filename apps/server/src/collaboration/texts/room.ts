import type { ServerMessage, TextPosition } from '@bottega/contract';
import type { Hocuspocus } from '@hocuspocus/server';
import type { KeyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import type { Db } from '../../foundation/db/pool.ts';
import type { Trx } from '../../foundation/db/transaction.ts';
import type { Quota } from '../../repository/store/index.ts';
import type { Allowance } from './allowance.ts';
import type { Author, LiveText } from './live-text.ts';
import type { TextMetrics } from './metrics.ts';
import type { LiveOwnership, LivePeer, LiveTexts } from './peer.ts';
import type { RingLimits } from './revisions.ts';

export type Cursor = {
  position: TextPosition;
  selectionEnd: TextPosition | undefined;
  /** The client of Yjs as which it appears to the others. */
  clientId: number;
  publishedAt: number;
};

export type LiveLimits = {
  /** Of a file that can be edited live, in bytes. */
  fileBytes: number;
  ring: RingLimits;
  savePauseMs: number;
  saveIntervalMs: number;
  /** A minute, in one session. */
  fileOperations: number;
  /** Of one text, while the database is away. */
  unstoredBytes: number;
  /** Of all texts of this node, as far as they can be counted. */
  memoryBytes: number;
};

/** What all live texts of this process share. */
export type Engine = {
  db: Db;
  turns: KeyedQueue;
  quota: Quota;
  publicUrl: () => string;
  ownership: LiveOwnership;
  limits: LiveLimits;
  allowance: Allowance;
  fileLimit: number;
  metrics: TextMetrics;
  /** Makes the comment of a message: comments know the texts, not the other way round. */
  comment(peer: LivePeer, comment: unknown): Promise<void>;
  onError(error: unknown, what: string): void;
};

/** One socket, as the texts know it. */
export type Member = {
  peer: LivePeer;
  author: Author;
  /** Texts that stay open for it. */
  holds: Set<LiveText>;
  /** Texts of which it has been told a revision, and so gets every further one. */
  follows: WeakSet<LiveText>;
  /** Documents that it has open by Yjs. */
  editing: Set<LiveText>;
  /** How many those are; a client may open one several times. */
  documents: number;
  /** Paths that it has closed: it hears nothing of them until it opens them again. */
  closed: Set<string>;
  cursors: Map<string, Cursor>;
};

/** The live texts of one project, and who is there. */
export type Room = {
  readonly projectId: string;
  readonly hocuspocus: Hocuspocus<{ member: Member }>;
  readonly texts: Map<string, LiveText>;
  readonly opening: Map<string, Promise<LiveText>>;
  /** States that Hocuspocus is about to ask for, by path. */
  readonly loading: Map<string, Uint8Array[]>;
  readonly members: Set<Member>;
  autoSave: boolean;
  /** Another process owns the texts now: nothing is written any more. */
  isGone: boolean;
  storeTimer: NodeJS.Timeout | null;
  storeFailures: number;
  /** One thing at a time that reads or writes what is stored of these texts. */
  inTurn<Result>(task: () => Promise<Result>): Promise<Result>;
};

export type OpenedText = { room: Room; text: LiveText };

/** The live texts as the comments know them. */
export type LiveEngine = LiveTexts & {
  /** Whether anybody is connected or not. In the name of the user, whose memory it takes. */
  open(projectId: string, path: string, userId: string): Promise<OpenedText>;
  /** The one with this id, if it is in memory. */
  find(projectId: string, textId: string): LiveText | undefined;
  /** Stores the text together with what `prepare`, which may edit it, gives to do in the same transaction. */
  storeWith(opened: OpenedText, prepare: () => Promise<(trx: Trx) => Promise<void>>): Promise<void>;
};

export function tell(members: Iterable<Member>, message: ServerMessage, except?: string): void {
  let text: string | null = null;
  for (const { peer } of members) {
    if (peer.id === except) continue;
    text ??= JSON.stringify(message);
    peer.sendSerialised(text);
  }
}

/**
 * Whoever has the text open; and the others of a session, unless they have closed the file, or have it open by Yjs and
 * so hear of everything anyway.
 */
export function hears(member: Member, text: LiveText, sessionId: string | null): boolean {
  if (!member.peer.takesText) return false;
  if (member.follows.has(text)) return true;
  return member.peer.sessionId === sessionId && !member.closed.has(text.path) && !member.editing.has(text);
}

export const hearersOf = (room: Room, text: LiveText, sessionId: string | null): Member[] =>
  [...room.members].filter((member) => hears(member, text, sessionId));

export function isHeard(room: Room, text: LiveText, sessionId: string | null): boolean {
  for (const member of room.members) if (hears(member, text, sessionId)) return true;
  return false;
}

/** Whoever has the file open in any way, for what concerns the file itself. */
export const editorsOf = (room: Room, text: LiveText): Member[] =>
  [...room.members].filter((member) => member.holds.has(text) || member.follows.has(text) || member.editing.has(text));

export const membersOf = (room: Room, sessionId: string): Member[] =>
  [...room.members].filter(({ peer }) => peer.sessionId === sessionId);

export const isHeld = (room: Room, text: LiveText): boolean =>
  text.document.connections.size > 0 || [...room.members].some((member) => member.holds.has(text));

/** The service sets them, whatever a client sends. */
export const stamp = (userId: string) => ({ user_id: userId, timestamp: new Date().toISOString() });
