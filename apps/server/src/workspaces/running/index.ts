export { findAgentFiles } from './agent-files.ts';
export type { SeenAgent } from './agents.ts';
export { languagesRoot, noteLayer, openWorkspaceDisk, readLayer, workspacesRoot } from './disk.ts';
export { type Supervisor, startSupervisor } from './supervisor.ts';
