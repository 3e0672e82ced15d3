export { commandRoutes } from './commands.routes.ts';
export { languageRoutes } from './languages.routes.ts';
export { portRoutes } from './ports.routes.ts';
export { processRoutes } from './processes.routes.ts';
export { snapshotRoutes } from './snapshots.routes.ts';
export { terminalRoutes } from './terminals.routes.ts';
export { workspaceRoutes } from './workspaces.routes.ts';
export { wakeForVisitor } from './workspaces.service.ts';
