export { createSandbox, type Sandbox } from './choose.ts';
export {
  type AgentFiles,
  type BuildDriver,
  type Capabilities,
  type Exit,
  type Limits,
  type Place,
  type Running,
  SandboxError,
} from './driver.ts';
export { isInEngine } from './engine-workspaces.ts';
export { defaultJobsRoot, type JobsDirectory, openJobsDirectory } from './jobs-directory.ts';
export { removeTree } from './remove-tree.ts';
export { giveTo } from './uids.ts';
