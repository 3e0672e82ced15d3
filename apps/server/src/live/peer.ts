import type { ClientMessage, ServerMessage } from '@bottega/contract';

/** Where the socket and the live texts meet: what a text needs of whoever is connected. */
export type LivePeer = {
  /** Of the socket, not of the user, who may have several. */
  readonly id: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly user: { id: string; username: string; name: string; email: string };
  /** As it is now: roles change while a socket is open. */
  may(right: 'read' | 'write' | 'comment'): boolean;
  send(message: ServerMessage): void;
  /** The same text for many: serialised once by whoever sends. */
  sendSerialised(text: string): void;
  sendBinary(frame: Uint8Array): void;
  close(code: number, reason: string): void;
};

/** One socket's share in the live texts of its project. */
export type LiveConnection = {
  /** Valid by the contract's schema; answered, refused and acknowledged by messages to the peer. Never throws. */
  handleMessage(message: ClientMessage): void;
  handleBinary(frame: Uint8Array): void;
  /** What the peer may do has changed: writers become readers, or the other way round. */
  rightsChanged(): void;
  /** The socket is gone. Resolves once its last words are applied. */
  close(): Promise<void>;
};

/** The live texts of the projects that this process owns. */
export type LiveTexts = {
  connect(peer: LivePeer): LiveConnection;
  /** Commits what auto_save has left: the last leave, the end of a session. */
  save(projectId: string): Promise<void>;
  /** Another process owns them from now on: nothing more is written. */
  letGo(projectId: string): Promise<void>;
  /** To every socket of the session, or but one. */
  broadcast(sessionId: string, message: ServerMessage, except?: string): void;
  /** Stores what is not stored yet, and saves. */
  drain(): Promise<void>;
};

/** Whether this process may still write a project's texts; asked inside the transaction that writes. */
export type Ownership = { projectId: string; epoch: string };
