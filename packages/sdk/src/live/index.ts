export type { WebSocketConstructor } from './connection.ts';
export type { Listening } from './listeners.ts';
export type { FileEvents, LiveFile, Splice } from './live-file.ts';
export { type Joining, joinLive, type LiveSession, type SessionEvents } from './session.ts';
