import { newId } from '../foundation/ids.ts';
import type { Place } from './authorisation-place.ts';
import type { Row } from './authorisation-row.ts';
import { setVariable } from './sample-deployments.ts';

/** As a worker leaves it, with nothing in it. */
async function succeeded({ service, projectId, parameters }: Place): Promise<void> {
  const artifact = newId('art');
  await service.db
    .insertInto('artifacts')
    .values({
      id: artifact,
      project_id: projectId,
      digest: Buffer.from(artifact),
      start_command: null,
      spa: false,
      file_count: 0,
      size: 0,
    })
    .execute();
  await service.db
    .updateTable('deployments')
    .set({ status: 'success', artifact_id: artifact })
    .where('id', '=', parameters.deployment_id ?? '')
    .execute();
}

const variables = '/v1/projects/{project_id}/variables';
const named = () => ({ name: 'TOKEN' });
const withVariable = ({ service, cast, projectId }: Place) =>
  setVariable({ service, user: cast.owner, projectId }, 'TOKEN', { value: 'a secret' });

const all = '/v1/projects/{project_id}/deployments';
const one = `${all}/{deployment_id}`;

export const deploymentAuthorisation: Record<string, Row | Row[]> = {
  [`GET ${all}`]: { needs: 'read', status: 200 },
  [`POST ${all}`]: { needs: 'write', status: 201, json: {} },
  [`GET ${one}`]: { needs: 'read', status: 200 },
  [`GET ${one}/logs`]: { needs: 'read', status: 200 },
  [`GET ${one}/artifacts`]: { needs: 'read', status: 200, prepare: succeeded },
  [`POST ${one}/cancel`]: { needs: 'write', status: 200 },
  [`POST ${one}/redeploy`]: { needs: 'write', status: 201 },
  [`POST ${one}/promote`]: { needs: 'write', status: 200, prepare: succeeded },
  [`POST ${one}/rollback`]: { needs: 'write', status: 200, prepare: succeeded },
  [`GET ${variables}`]: { needs: 'read', status: 200 },
  [`PUT ${variables}/{name}`]: { needs: 'write', status: 200, json: { value: 'a secret' }, parameters: named },
  [`DELETE ${variables}/{name}`]: { needs: 'write', status: 204, prepare: withVariable, parameters: named },
};

const domains = '/v1/projects/{project_id}/domains';
const domain = `${domains}/{domain}`;

export const domainAuthorisation: Record<string, Row | Row[]> = {
  [`GET ${domains}`]: { needs: 'read', status: 200 },
  [`POST ${domains}`]: { needs: 'manage', status: 201, json: { domain: 'new.example.org' } },
  [`GET ${domain}`]: { needs: 'read', status: 200 },
  [`PATCH ${domain}`]: { needs: 'manage', status: 200, json: { redirect_to: null } },
  [`DELETE ${domain}`]: { needs: 'manage', status: 204 },
  [`POST ${domain}/verify`]: { needs: 'manage', status: 200 },
};
