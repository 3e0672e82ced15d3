export { type AppsServer, createAppsServer } from './apps-server.ts';
export { bringUp, takeDown } from './bring-up.ts';
export { createContents } from './contents.ts';
export { registerAppMetrics } from './metrics.ts';
export { createProxy } from './proxy.ts';
export { type Supervisor, startSupervisor } from './supervisor.ts';
export { findOwnerOf } from './targets.sql.ts';
export { tryDeploying } from './trial.ts';
