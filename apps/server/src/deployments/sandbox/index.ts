export { createSandbox, type Sandbox } from './choose.ts';
export {
  type BuildDriver,
  type Capabilities,
  type Exit,
  type Limits,
  type Place,
  type Running,
  SandboxError,
} from './driver.ts';
export { defaultJobsRoot, type JobsDirectory, openJobsDirectory } from './jobs-directory.ts';
