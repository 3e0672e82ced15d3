export { collaboratorRoutes } from './collaborators.routes.ts';
export { deleteLongExpired } from './collaborators.sql.ts';
export { invitationRoutes } from './invitations.routes.ts';
export { transferRoutes } from './transfers.routes.ts';
