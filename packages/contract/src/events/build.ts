import { Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import { eventFamily } from './family.ts';
import { ada, exactly, exampleProjectUrl, exampleSha, inExampleProject, inProject, orNull, text } from './fields.ts';

export const environment = text;
export const seconds = Type.Number({ minimum: 0, description: 'In seconds' });

/**
 * The author of a commit need not have an account. All four of its fields are null if the project has no version
 * control.
 */
export const build = {
  build_id: text,
  ...inProject,
  commit_sha: orNull(text),
  commit_message: orNull(text),
  branch: orNull(text),
  author: orNull(exactly({ name: text, email: orNull(text), username: orNull(text) })),
};
export const exampleBuild = {
  build_id: 'bld_01jd2m6vz8e3r9x5k7q4w1t0ab',
  ...inExampleProject,
  commit_sha: exampleSha,
  commit_message: 'Turn the second wheel',
  branch: 'main',
  author: ada,
};

export const failure = {
  error: exactly({
    type: text,
    message: text,
    details: exactly({
      file: orNull(text),
      line: orNull(Type.Integer()),
      column: orNull(Type.Integer()),
      code: orNull(text),
    }),
  }),
  logs_url: text,
};
const logs_url = `${exampleProjectUrl}/deployments/dep_01jd2m6vz8e3r9x5k7q4w1t0ab/logs`;
export const exampleFailure = {
  error: {
    type: 'build_failed',
    message: "Cannot find name 'wheel'.",
    details: { file: 'src/main.ts', line: 7, column: 3, code: 'TS2304' },
  },
  logs_url,
};

export const exampleTimes = { started_at: '2026-01-03T03:05:00.000Z', ended_at: '2026-01-03T03:05:42.000Z' };
export const exampleUrl = 'https://dep-01jd2m6vz8e3r9x5k7q4w1t0ab.apps.example.com';
const { started_at, ended_at } = exampleTimes;

export const buildEvents = eventFamily(
  { scope: 'read:deployments', subject: 'build', fieldNames: { build_id: 'id', build_config: 'config' } },
  {
    'build.started': {
      description: 'A build was started',
      names: { reference: 'build.started', core: null, guide: null },
      data: exactly({
        ...build,
        trigger: text,
        started_at: Timestamp,
        environment,
        build_config: exactly({
          node_version: orNull(text),
          build_command: orNull(text),
          output_directory: orNull(text),
        }),
      }),
      example: {
        ...exampleBuild,
        trigger: 'manual',
        started_at,
        environment: 'production',
        build_config: { node_version: '24', build_command: 'npm run build', output_directory: 'dist' },
      },
    },
    'build.completed': {
      description: 'A build succeeded',
      names: { reference: 'build.completed', core: null, guide: null },
      data: exactly({
        ...build,
        status: text,
        started_at: Timestamp,
        completed_at: Timestamp,
        duration: seconds,
        environment,
        artifacts: Type.Array(exactly({ name: text, size: Type.Integer(), url: text })),
        logs_url: text,
        deploy_preview_url: orNull(text),
      }),
      example: {
        ...exampleBuild,
        status: 'success',
        started_at,
        completed_at: ended_at,
        duration: 42,
        environment: 'production',
        artifacts: [
          {
            name: 'dist.tar.gz',
            size: 48_120,
            url: `${exampleProjectUrl}/builds/${exampleBuild.build_id}/artifacts/dist.tar.gz`,
          },
        ],
        logs_url,
        deploy_preview_url: exampleUrl,
      },
    },
    'build.failed': {
      description: 'A build failed',
      names: { reference: 'build.failed', core: null, guide: null },
      data: exactly({
        ...build,
        status: text,
        started_at: Timestamp,
        failed_at: Timestamp,
        duration: seconds,
        environment,
        ...failure,
      }),
      example: {
        ...exampleBuild,
        status: 'failed',
        started_at,
        failed_at: ended_at,
        duration: 42,
        environment: 'production',
        ...exampleFailure,
      },
    },
  },
);
