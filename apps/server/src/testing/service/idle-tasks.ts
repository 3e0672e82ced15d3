import type { TaskHandlers } from '../../foundation/jobs/worker.ts';

const nothing = () => Promise.resolve();

/** Every task as a no-op: tests of the worker itself replace the ones that they check. */
export const idleTasks: TaskHandlers = {
  'accounts:purge': nothing,
  'mail:send': nothing,
  'notifications:mail': nothing,
  'projects:purge': nothing,
  'repositories:import': nothing,
  'repositories:collect': nothing,
  'repositories:pack': nothing,
  'repositories:look': nothing,
  'checks:completed': nothing,
  'merge-requests:test': nothing,
  'merge-requests:follow': nothing,
  'merge-requests:queue': nothing,
  'domains:check': nothing,
  'backups:make': async () => undefined,
  'maintenance:clean': nothing,
};
