import type { ClientMessage, ServerMessage } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';

/** Where the socket and the live texts meet: what a text needs of whoever is connected. */
export type LivePeer = {
  /** Of the socket, not of the user, who may have several. */
  readonly id: string;
  readonly sessionId: string;
  readonly projectId: string;
  /** Of the upgrade: what is done by the socket is told as caused by it. */
  readonly requestId: string;
  readonly user: { id: string; username: string; name: string; email: string };
  /** As it is now: roles change while a socket is open. */
  may(right: 'read' | 'write' | 'comment'): boolean;
  /** False: binary frames only. What is sent to it as text is dropped, so it need not be made. */
  readonly takesText: boolean;
  send(message: ServerMessage): void;
  /**
   * The same text for many: serialised once by whoever sends. Of texts with the same `lastOf` a reader that does not
   * keep up gets the last one only: cursors. Without it nothing is left out.
   */
  sendSerialised(text: string, lastOf?: string): void;
  sendBinary(frame: Uint8Array): void;
  /**
   * Resolves once a whole text may be sent: what was sent has been read, and whoever asks for one after the other has
   * waited. False: the socket is gone.
   */
  readyForText(bytes: number): Promise<boolean>;
  close(code: number, reason: string): void;
};

/** One socket's share in the live texts of its project. */
export type LiveConnection = {
  /** Valid by the contract's schema; answered, refused and acknowledged by messages to the peer. Never throws. */
  handleMessage(message: ClientMessage): void;
  handleBinary(frame: Uint8Array): void;
  /** What the peer may do has changed: writers become readers, or the other way round. */
  rightsChanged(): void;
  /** The socket is gone. Resolves once its last messages are applied. */
  close(): Promise<void>;
};

/** The live texts of the projects that this process owns. */
export type LiveTexts = {
  connect(peer: LivePeer): LiveConnection;
  /** Commits what auto_save has left: the last leave, the end of a session. */
  save(projectId: string): Promise<void>;
  /** Saves what nodes that died have left. */
  recover(): Promise<void>;
  /** Another process owns them from now on: nothing more is written. */
  release(projectId: string): Promise<void>;
  /** To every socket of the session, or but one. */
  broadcast(sessionId: string, message: ServerMessage, except?: string): void;
  /** Stores what is not stored yet, and saves. */
  drain(): Promise<void>;
};

/** Which projects' texts are this process's to write. */
export type LiveOwnership = {
  /** Throws once another process owns them; until the transaction ends, none can take them over. */
  assertHeld(trx: Trx, projectId: string): Promise<void>;
  /** True: they are this process's from now on, for as long as it renews the lease. False: another's. */
  acquire(projectId: string): Promise<boolean>;
};
