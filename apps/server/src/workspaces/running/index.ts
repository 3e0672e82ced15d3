export { findAgentFiles } from './agent-files.ts';
export type { SeenAgent } from './agents.ts';
export { noteLayer, readLayer } from './built-on.ts';
export { languagesRoot, openWorkspaceDisk, workspacesRoot } from './disk.ts';
export { type Supervisor, startSupervisor } from './supervisor.ts';
