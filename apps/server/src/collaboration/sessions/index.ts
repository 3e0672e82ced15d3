export { createLiveNode } from './live-node.ts';
export { participantRoutes } from './participants.routes.ts';
export { collaborationRoutes } from './sessions.routes.ts';
export { sealedInvites } from './sessions.sql.ts';
export { socketRoutes } from './socket.routes.ts';
export { socketAuthenticator } from './socket-credentials.ts';
export { deleteExpiredTickets } from './tickets.sql.ts';
