import { sql } from 'kysely';
import type { Trx } from '../db/transaction.ts';

/** Every task, with its payload. The task list that the worker runs must have each of them. */
export type Tasks = {
  'projects:purge': { project_id: string };
  'accounts:purge': { user_id: string; request_id: string | null };
  'mail:send': { sealed: string };
  'repositories:import': { project_id: string; user_id: string; request_id: string | null };
  'repositories:collect': { project_id: string };
  'maintenance:clean': Record<string, never>;
};

type Options = {
  /**
   * Two jobs with the same key are one, at the time of the later, or where `keepsTime` says so of the earlier. Without
   * one, each is its own.
   */
  key?: string;
  delayDays?: number;
  keepsTime?: boolean;
  /** Whose job it is: of one account one runs at a time, so that its others wait and nobody else does. */
  account?: string;
};

/** In the caller's transaction: the job exists if and only if the change does. For rare work, not for hot paths. */
export async function enqueueJob<Name extends keyof Tasks>(
  trx: Trx,
  name: Name,
  payload: Tasks[Name],
  { key, delayDays = 0, keepsTime = false, account }: Options,
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
      run_at => now() + make_interval(days => ${delayDays}), job_key => ${key ?? null},
      job_key_mode => ${keepsTime ? 'preserve_run_at' : 'replace'},
      queue_name => ${account === undefined ? null : `${name} ${account}`})`.execute(trx);
}

export async function cancelJob(trx: Trx, key: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${key})`.execute(trx);
}
