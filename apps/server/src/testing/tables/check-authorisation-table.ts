import { failSample } from '../samples/sample-checks.ts';
import type { Place } from './authorisation-place.ts';
import type { Row } from './authorisation-row.ts';

const all = '/v1/projects/{project_id}/checks';
const one = `${all}/{check_id}`;
const failed = (place: Place) => failSample(place, place.parameters.check_id ?? '');
const reported = ({ parameters }: Place) => ({ check_id: parameters.reported_check_id ?? '' });

/** Everybody who reads the files sees what checks say about them, but not their logs. */
export const checkAuthorisation: Record<string, Row | Row[]> = {
  [`GET ${all}`]: { needs: 'content', status: 200 },
  [`POST ${all}`]: {
    needs: 'write',
    status: 201,
    jsonFor: ({ parameters }) => ({ name: 'integration', head_sha: parameters.sha }),
  },
  [`POST ${all}/run`]: { needs: 'write', status: 201, json: {} },
  [`GET ${one}`]: { needs: 'content', status: 200 },
  [`PATCH ${one}`]: { needs: 'write', status: 200, json: { status: 'in_progress' }, parameters: reported },
  [`GET ${one}/annotations`]: { needs: 'content', status: 200 },
  [`GET ${one}/logs`]: { needs: 'operations', status: 200 },
  [`POST ${one}/rerun`]: { needs: 'write', status: 200, prepare: failed },
  [`POST ${one}/cancel`]: { needs: 'write', status: 200 },
  'GET /v1/projects/{project_id}/commits/{sha}/checks': { needs: 'content', status: 200 },
};
