import type { ClientMessage, ServerMessage } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';

/** A client as the live texts see it. This is the interface between its socket and the texts. */
export type LivePeer = {
  /** The id of the socket, not of the user, who may have several. */
  readonly id: string;
  readonly sessionId: string;
  readonly projectId: string;
  /** The branch that the session shows. */
  readonly branch: string;
  /** The id of the upgrade request, which counts as the cause of everything done by the socket. */
  readonly requestId: string;
  readonly user: { id: string; username: string; name: string; email: string };
  /** Whether the user has the right at the moment. Roles may change while a socket is open. */
  may(right: 'read' | 'write' | 'comment'): boolean;
  /** Whether only the branch's protection keeps the user from writing. */
  isKeptOut(): boolean;
  /** False if the client accepts only binary frames. Text for this client is dropped, so it need not be created. */
  readonly takesText: boolean;
  send(message: ServerMessage): void;
  /**
   * Sends a text that the sender has serialised once for many. Of texts with the same `lastOf`, such as cursors, a slow
   * reader gets only the last one. Without `lastOf`, nothing is left out.
   */
  sendSerialised(text: string, lastOf?: string): void;
  sendBinary(frame: Uint8Array): void;
  /**
   * Resolves once a whole text may be sent: earlier frames have been read, and repeated requests have waited. Returns
   * false if the socket is gone.
   */
  readyForText(bytes: number): Promise<boolean>;
  close(code: number, reason: string): void;
};

/** The connection of one socket to the live texts of its project. */
export type LiveConnection = {
  /**
   * Handles a message that matches the contract's schema. Responses, refusals and acks go to the peer as messages.
   * Never throws.
   */
  handleMessage(message: ClientMessage): void;
  handleBinary(frame: Uint8Array): void;
  /** Call this when the peer's rights have changed. */
  rightsChanged(): void;
  /** Call this when the socket is gone. Resolves once its last messages are applied. */
  close(): Promise<void>;
};

/** The live texts of the projects that this process owns. */
export type LiveTexts = {
  connect(peer: LivePeer): LiveConnection;
  /** Commits everything that auto_save has not saved yet. Called when the last client leaves or a session ends. */
  save(projectId: string): Promise<void>;
  /** Saves the texts that dead nodes left unsaved. */
  recover(): Promise<void>;
  /** Call this when another process owns the texts. This process stops writing. */
  release(projectId: string): Promise<void>;
  /** Sends to all sockets of the session, or to all except one. */
  broadcast(sessionId: string, message: ServerMessage, except?: string): void;
  /** Stores everything pending, and saves. */
  drain(): Promise<void>;
};

/** Which projects' texts this process may write. */
export type LiveOwnership = {
  /** Throws if another process owns the texts. Until the transaction ends, no other process can take over. */
  assertHeld(trx: Trx, projectId: string): Promise<void>;
  /** True if this process owns the texts, which lasts while it renews the lease. False if another process owns them. */
  acquire(projectId: string): Promise<boolean>;
};
