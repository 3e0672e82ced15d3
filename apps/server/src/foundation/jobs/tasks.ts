/** All tasks with their payloads. The worker's task list must contain all of them. */
export type Tasks = {
  'projects:purge': { project_id: string };
  'accounts:purge': { user_id: string; request_id: string | null };
  'mail:send': { sealed: string };
  'notifications:mail': { user_id: string };
  'repositories:import': { project_id: string; user_id: string; request_id: string | null };
  'repositories:collect': { project_id: string };
  /** `fewest` is the number of new objects that make a pack worthwhile. Without it, the usual number applies. */
  'repositories:pack': { project_id: string; fewest?: number };
  'repositories:look': Record<string, never>;
  'checks:completed': { project_id: string; head_sha: string; tree_sha: string };
  'merge-requests:test': { project_id: string; number: number };
  'merge-requests:follow': { project_id: string; number: number };
  'merge-requests:queue': { project_id: string; target: string };
  'maintenance:clean': Record<string, never>;
  'domains:check': Record<string, never>;
  'backups:make': Record<string, never>;
};
