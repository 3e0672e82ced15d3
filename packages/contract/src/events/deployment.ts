import { Type } from 'typebox';
import { NullableTimestamp, Timestamp } from '../primitives.ts';
import {
  build,
  environment,
  exampleBuild,
  exampleFailure,
  exampleTimes,
  exampleUrl,
  failure,
  seconds,
} from './build.ts';
import { eventFamily } from './family.ts';
import { Author, ada, exactly, orNull, text } from './fields.ts';

const deployment = {
  deployment_id: text,
  ...build,
  deployed_by: orNull(Author),
  environment,
  url: Type.Union([text, Type.Null()], { description: 'null until the deployment succeeds' }),
};
const example = {
  deployment_id: 'dep_01jd2m6vz8e3r9x5k7q4w1t0ab',
  ...exampleBuild,
  deployed_by: ada,
  environment: 'production',
  url: null,
} as const;
const { started_at, ended_at } = exampleTimes;

export const deploymentEvents = eventFamily(
  {
    scope: 'read:deployments',
    subject: 'deployment',
    fieldNames: { deployment_id: 'id', deployment_config: 'config' },
  },
  {
    'deployment.started': {
      description: 'A deployment was started',
      names: { reference: 'deployment.started', core: 'deployment.started', guide: null },
      data: exactly({ ...deployment, trigger: text, started_at: Timestamp }),
      example: { ...example, trigger: 'manual', started_at },
    },
    'deployment.completed': {
      description: 'A deployment succeeded',
      names: { reference: 'deployment.completed', core: 'deployment.completed', guide: null },
      data: exactly({
        ...deployment,
        status: text,
        started_at: Timestamp,
        completed_at: Timestamp,
        duration: seconds,
        url: text,
        deployment_config: exactly({ strategy: text, instances: Type.Integer(), health_check_url: orNull(text) }),
      }),
      example: {
        ...example,
        status: 'success',
        started_at,
        completed_at: ended_at,
        duration: 42,
        url: exampleUrl,
        deployment_config: { strategy: 'rolling', instances: 1, health_check_url: `${exampleUrl}/` },
      },
    },
    'deployment.failed': {
      description: 'A deployment failed',
      names: { reference: 'deployment.failed', core: 'deployment.failed', guide: null },
      // A deployment that was canceled while it waited has no start and no duration.
      data: exactly({
        ...deployment,
        status: text,
        started_at: NullableTimestamp,
        failed_at: Timestamp,
        duration: orNull(seconds),
        ...failure,
      }),
      example: { ...example, status: 'failed', started_at, failed_at: ended_at, duration: 42, ...exampleFailure },
    },
  },
);
