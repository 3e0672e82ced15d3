import { newId } from '../../foundation/ids.ts';
import type { Place } from './sample-files.ts';

export type SampleChecks = {
  /** A check that waits behind another one, whose worker does not exist. */
  check_id: string;
  /** A check of another system. */
  reported_check_id: string;
};

/** Checks of the project's last commit. Nobody runs them. */
export async function sampleChecks({
  service,
  projectId,
}: Pick<Place, 'service' | 'projectId'>): Promise<SampleChecks> {
  const [running, waiting, reported] = [newId('chk'), newId('chk'), newId('chk')];
  await service.pool.query(
    `with head as (
       select project_id, sha, tree_sha from git_commits where project_id = $1 order by generation desc limit 1)
     insert into check_runs (id, project_id, head_sha, tree_sha, name, definition, environment, command, needs, status,
       worker_id, lease_until)
     select given.id, project_id, sha, tree_sha, given.name, given.definition, given.definition, given.command,
       given.needs, given.status, given.worker, now() + interval '1 hour'
     from head, (values
       ($2, 'running', '\\x01'::bytea, 'true', '{}'::text[], 'in_progress', 'nobody'),
       ($3, 'waiting', '\\x02'::bytea, 'true', array[$2], 'queued', null),
       ($4, 'reported', null, null, '{}'::text[], 'queued', null)
     ) as given (id, name, definition, command, needs, status, worker)`,
    [projectId, running, waiting, reported],
  );
  return { check_id: waiting, reported_check_id: reported };
}

/** Completes a check without success, as a worker does. */
export const failSample = ({ service }: Pick<Place, 'service'>, id: string) =>
  service.pool.query(
    `update check_runs set status = 'completed', conclusion = 'failure', completed_at = now() where id = $1`,
    [id],
  );
