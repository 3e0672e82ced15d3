import type { TaskHandlers } from '../../foundation/jobs/worker.ts';

const nothing = () => Promise.resolve();

/** Every task, doing nothing: tests of the worker itself replace the ones they look at. */
export const idleTasks: TaskHandlers = {
  'accounts:purge': nothing,
  'mail:send': nothing,
  'notifications:mail': nothing,
  'projects:purge': nothing,
  'repositories:import': nothing,
  'repositories:collect': nothing,
  'domains:check': nothing,
  'backups:make': async () => undefined,
  'maintenance:clean': nothing,
};
