/** Every task, with its payload. The task list that the worker runs must have each of them. */
export type Tasks = {
  'projects:purge': { project_id: string };
  'accounts:purge': { user_id: string; request_id: string | null };
  'mail:send': { sealed: string };
  'repositories:import': { project_id: string; user_id: string; request_id: string | null };
  'repositories:collect': { project_id: string };
  'maintenance:clean': Record<string, never>;
  'domains:check': Record<string, never>;
  'backups:make': Record<string, never>;
};
