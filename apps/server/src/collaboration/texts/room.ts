import type { Hocuspocus } from '@hocuspocus/server';
import type { KeyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import type { Semaphore as Mutex } from '../../foundation/concurrency/semaphore.ts';
import type { Db, Trx } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import type { Quota } from '../../repository/store/index.ts';
import type { Allowance } from './allowance.ts';
import type { LiveText } from './live-text.ts';
import type { Member } from './members.ts';
import type { TextMetrics } from './metrics.ts';
import type { LiveOwnership, LivePeer, LiveTexts } from './peer.ts';
import type { RingLimits } from './revisions.ts';

export type LiveLimits = {
  /** Largest file that can be edited live, in bytes. */
  fileBytes: number;
  ring: RingLimits;
  savePauseMs: number;
  saveIntervalMs: number;
  /** Maximum number of file operations in one session, per minute. */
  fileOperations: number;
  /** Maximum number of bytes of one text that may wait while the database is down. */
  unstoredBytes: number;
  /** Maximum number of bytes that all texts of this node may use, as far as they can be counted. */
  memoryBytes: number;
};

/** What all live texts of this process share. */
export type Engine = {
  db: Db;
  writeQueue: KeyedQueue;
  quota: Quota;
  publicUrl: () => string;
  ownership: LiveOwnership;
  limits: LiveLimits;
  /** Time that a text stays after nobody has it open, in milliseconds; ten seconds by default. */
  idleMs?: number;
  allowance: Allowance;
  fileLimit: number;
  metrics: TextMetrics;
  /** Throws if a session has reached its limit of file operations. */
  countOperation(sessionId: string): void;
  /**
   * Creates the comment in a message. It is passed in, because comments depend on the texts, and not the other way
   * round.
   */
  comment(peer: LivePeer, comment: unknown): Promise<void>;
  onError(error: unknown, what: string): void;
};

/**
 * The live texts of one branch of a project in this process, and the sockets that use them.
 *
 *   open ──▶ released
 *
 * - `open`: this node has, or had, the project's lease. Each transaction checks in the database that it still has it.
 * - `released`: the texts are stored and closed, and nothing more is written. A new room for the same branch starts
 *   only after that (`rooms.ts`).
 */
export type Room = {
  readonly projectId: string;
  readonly branch: string;
  /** The last commit of the branch that this process has seen, for a branch other than main. */
  tip: Buffer | null;
  state: 'open' | 'released';
  readonly hocuspocus: Hocuspocus<{ member: Member }>;
  /** Open texts, by path. */
  readonly texts: Map<string, LiveText>;
  readonly opening: Map<string, Promise<LiveText>>;
  /** The states of texts that Hocuspocus is about to load, by path. */
  readonly loading: Map<string, Uint8Array[]>;
  readonly members: Set<Member>;
  autoSave: boolean;
  readonly flush: { timer: NodeJS.Timeout | null; failures: number };
  /** Runs one task at a time that reads or writes the stored state of these texts. */
  readonly queue: Mutex;
  /** Call this if another node owns the project. The room is then released. */
  readonly lost: () => void;
};

export type OpenedText = { room: Room; text: LiveText };

/** The live texts, in the form that comments need. */
export type LiveEngine = LiveTexts & {
  /** Opens a text even if nobody is connected. Its memory counts towards the limit of the user. */
  open(at: HeadAt, path: string, userId: string): Promise<OpenedText>;
  /** Commits the text to its file, whether auto_save is on or not. */
  saveOpened(opened: OpenedText): Promise<void>;
  /** The text with this id, if it is in memory. */
  find(projectId: string, textId: string): LiveText | undefined;
  /** Stores the text. `prepare` may edit it; the function that it returns runs in the same transaction. */
  storeWith(opened: OpenedText, prepare: () => Promise<(trx: Trx) => Promise<void>>): Promise<void>;
};
