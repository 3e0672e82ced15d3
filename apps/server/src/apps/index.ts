export { type AppsServer, createAppsServer } from './apps-server.ts';
export { bringUp } from './bring-up.ts';
export { createContents } from './contents.ts';
export { createProxy } from './proxy.ts';
export { type Supervisor, startSupervisor } from './supervisor.ts';
