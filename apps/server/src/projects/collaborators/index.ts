export { collaboratorRoutes } from './collaborators.routes.ts';
export { deleteLongExpired } from './collaborators.sql.ts';
export { invitationRoutes } from './invitations.routes.ts';
export { leaveAllProjects } from './leave-all.service.ts';
export { transferRoutes } from './transfers.routes.ts';
export type { CheckNewOwner } from './transfers.service.ts';
