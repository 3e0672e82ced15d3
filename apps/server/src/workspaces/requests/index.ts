export { commandRoutes } from './commands.routes.ts';
export { createDiskReads } from './disk-files.service.ts';
export { languageRoutes } from './languages.routes.ts';
export { portRoutes } from './ports.routes.ts';
export { snapshotRoutes } from './snapshots.routes.ts';
export { terminalRoutes } from './terminals.routes.ts';
export { workspaceRoutes } from './workspaces.routes.ts';
export { wakeForVisitor } from './workspaces.service.ts';
