import { newId } from '../../foundation/ids.ts';
import { setVariable } from '../samples/sample-deployments.ts';
import type { Place } from './authorisation-place.ts';
import type { Row } from './authorisation-row.ts';

/** Marks it as succeeded as a worker does, without output. */
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

async function live(place: Place): Promise<void> {
  await succeeded(place);
  await place.service.db
    .updateTable('projects')
    .set({ live_deployment_id: place.parameters.deployment_id ?? '', app_name: place.projectId.replace('_', '-') })
    .where('id', '=', place.projectId)
    .execute();
}

/** A domain that is unique to the project, since a proven name belongs to one project. */
const ownDomain = ({ projectId }: Place) => ({ domain: `${projectId.replace('_', '-')}.example.org` });
const proven = (place: Place) =>
  place.service.db
    .updateTable('domains')
    .set({ ...ownDomain(place), state: 'verified' })
    .where('project_id', '=', place.projectId)
    .execute();

const variables = '/v1/projects/{project_id}/variables';
const named = () => ({ name: 'TOKEN' });
const withVariable = ({ service, cast, projectId }: Place) =>
  setVariable({ service, user: cast.owner, projectId }, 'TOKEN', { value: 'a secret' });

const all = '/v1/projects/{project_id}/deployments';
const one = `${all}/{deployment_id}`;

export const deploymentAuthorisation: Record<string, Row | Row[]> = {
  [`GET ${all}`]: { needs: 'content', status: 200 },
  [`POST ${all}`]: { needs: 'write', status: 201, json: {} },
  [`GET ${one}`]: [
    { needs: 'operations', status: 200, label: 'one that is not live' },
    { needs: 'content', status: 200, label: 'the live one', prepare: live },
  ],
  [`GET ${one}/logs`]: [
    { needs: 'operations', status: 200, label: 'of one that is not live' },
    { needs: 'operations', status: 200, label: 'of the live one', prepare: live },
  ],
  [`GET ${one}/artifacts`]: { needs: 'operations', status: 200, prepare: live },
  [`POST ${one}/cancel`]: { needs: 'write', status: 200 },
  [`POST ${one}/redeploy`]: { needs: 'write', status: 201 },
  [`POST ${one}/promote`]: { needs: 'write', status: 200, prepare: succeeded },
  [`POST ${one}/rollback`]: { needs: 'write', status: 200, prepare: succeeded },
  'GET /v1/projects/{project_id}/environments': { needs: 'operations', status: 200 },
  [`GET ${variables}`]: { needs: 'operations', status: 200 },
  [`PUT ${variables}/{name}`]: { needs: 'write', status: 200, json: { value: 'a secret' }, parameters: named },
  [`DELETE ${variables}/{name}`]: { needs: 'write', status: 204, prepare: withVariable, parameters: named },
};

const domains = '/v1/projects/{project_id}/domains';
const domain = `${domains}/{domain}`;

export const domainAuthorisation: Record<string, Row | Row[]> = {
  [`GET ${domains}`]: { needs: 'content', status: 200 },
  [`POST ${domains}`]: { needs: 'manage', status: 201, json: { domain: 'new.example.org' } },
  [`GET ${domain}`]: [
    { needs: 'operations', status: 200, label: 'one that is pending' },
    { needs: 'content', status: 200, label: 'one that answers', prepare: proven, parameters: ownDomain },
  ],
  [`PATCH ${domain}`]: { needs: 'manage', status: 200, json: { redirect_to: null } },
  [`DELETE ${domain}`]: { needs: 'manage', status: 204 },
  [`POST ${domain}/verify`]: { needs: 'manage', status: 200 },
};
