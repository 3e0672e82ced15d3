export { colorOf } from './colors.ts';
export { participantRoutes } from './participants.routes.ts';
export { join } from './participants.service.ts';
export { noteActive, noteGone, noteSeen } from './participants.sql.ts';
export { type SessionAccess, sessionAccess } from './session-access.ts';
export { sessionFileRoutes } from './session-files.routes.ts';
export { isOver, rightsOf, type SessionRights } from './sessions.policy.ts';
export { collaborationRoutes } from './sessions.routes.ts';
export { mustFindOpen } from './sessions.service.ts';
export {
  deadAfter,
  deleteOldSessions,
  endSessionsOfBranch,
  findSessions,
  hasNodeOfMainOnly,
  type ParticipantRow,
  type SessionRow,
  sealedInvites,
  sessionChannel,
} from './sessions.sql.ts';
export { asParticipant, presentIn } from './sessions.view.ts';
export { type CredentialsHold, redeemTicket } from './tickets.service.ts';
export { deleteExpiredTickets } from './tickets.sql.ts';
