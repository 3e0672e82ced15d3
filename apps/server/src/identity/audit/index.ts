export { auditRoutes } from './audit.routes.ts';
export { deleteEntriesOlderThan } from './audit.sql.ts';
export { recordAudit } from './record-audit.ts';
