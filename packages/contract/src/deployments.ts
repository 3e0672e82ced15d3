import { type Static, Type } from 'typebox';
import { defaulted, lineOfText, linesOfText, NullableTimestamp, named, PageInfo, Timestamp } from './primitives.ts';
import { Environment, VariableValue, variableName } from './variables.ts';

export const deploymentStatuses = ['pending', 'building', 'success', 'failed', 'canceled'] as const;
const Status = Type.Enum(deploymentStatuses);
export type DeploymentStatus = Static<typeof Status>;

const nullableText = (description?: string) =>
  Type.Union([Type.String(), Type.Null()], description === undefined ? {} : { description });
const nullableInteger = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

/** Why a build or a deployment did not succeed; `type` is for programs, `message` for people. */
export const deploymentErrorTypes = [
  'build_failed',
  'timed_out',
  'out_of_memory',
  'out_of_disk',
  'sandbox_unavailable',
  'nothing_to_serve',
  'bad_project_file',
  'too_large',
  'plan_limit',
  'unhealthy',
  'worker_lost',
  'canceled',
  'internal',
] as const;

const Ending = {
  exit_code: nullableInteger('Of the build command, or of an app that ended before it answered'),
  output: Type.Optional(nullableText('The line of standard error that tells most, as the log has it')),
  source: Type.Optional(
    Type.Union(
      [
        Type.Object({
          file: Type.String({ description: 'Below the project’s root' }),
          line: nullableInteger('From 1 on'),
          column: nullableInteger('From 1 on'),
        }),
        Type.Null(),
      ],
      { description: 'Where the output says that the error is' },
    ),
  ),
};
const EndingSchema = Type.Object(Ending);
/** How a command of the project ended. */
export type DeploymentEnding = Static<typeof EndingSchema>;

const DeploymentError = Type.Object({
  type: Type.Enum(deploymentErrorTypes),
  message: Type.String(),
  ...Ending,
});
export type DeploymentError = Static<typeof DeploymentError>;

const RunningApp = Type.Object(
  {
    status: Type.Enum(['starting', 'running', 'sleeping', 'failed']),
    restarts: Type.Integer({ description: 'Since it was last started anew' }),
    problem: nullableText('Why it ended last, or is not started'),
  },
  { description: 'The process of a server app' },
);

export const Deployment = named('Deployment', {
  id: Type.String({ examples: ['dep_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  project_id: Type.String(),
  build_id: Type.String({
    examples: ['bld_01jd2m6vz8e3r9x5k7q4w1t0ab'],
    description: 'Empty for those who do not collaborate on the project',
  }),
  status: Status,
  environment: Environment,
  branch: Type.String(),
  trigger: Type.Enum(['manual', 'push', 'redeploy'], { description: 'The same word as in its events' }),
  url: nullableText('The deployment’s own address, once it has succeeded and until what it serves is purged'),
  branch_url: nullableText('Of a preview: the address at which the newest preview of its branch is shown'),
  retired_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Of a preview: when its branch was deleted or its time was over; nothing is served since',
  }),
  commit: Type.Object(
    { sha: nullableText(), message: nullableText(), author: nullableText() },
    { description: 'All null without version control' },
  ),
  build_command: nullableText('As requested; null: what bottega.json says'),
  output_directory: nullableText('As requested; null: what bottega.json says, or detected'),
  environment_variables: Type.Array(Type.String(), { description: 'Their names; the values are write-only' }),
  own_environment_variables: Type.Array(Type.String(), { description: 'Those of them that are not the project’s' }),
  created_at: Timestamp,
  started_at: NullableTimestamp,
  completed_at: NullableTimestamp,
  duration: nullableInteger('Seconds'),
  queue_position: nullableInteger('1 is next; null unless pending'),
  app: Type.Union([RunningApp, Type.Null()], { description: 'null for files alone' }),
  is_live: Type.Boolean({ description: 'The project’s live address shows this one' }),
  logs_url: Type.String({ description: 'Empty for those who do not collaborate on the project' }),
  error: Type.Union([DeploymentError, Type.Null()]),
});
export type Deployment = Static<typeof Deployment>;

export const DeploymentList = Type.Object({ data: Type.Array(Deployment), pagination: PageInfo });

export const EnvironmentList = Type.Object({
  data: Type.Array(
    named('Environment', {
      name: Environment,
      latest_deployment: Type.Union([Deployment, Type.Null()], { description: 'null where only variables name it' }),
    }),
  ),
});

export const DeploymentListQuery = Type.Object({
  page: defaulted(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
  environment: Type.Optional(Environment),
  status: Type.Optional(Status),
});
export type DeploymentListQuery = Static<typeof DeploymentListQuery>;

const outputDirectory = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: lineOfText,
  description: 'Below the project’s root, such as `dist`; without it, from bottega.json or detected',
});

export const CreateDeployment = Type.Object(
  {
    environment: Type.Optional(Type.String({ ...Environment, default: 'production' })),
    branch: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: lineOfText, default: 'main' })),
    build_command: Type.Optional(
      Type.String({
        maxLength: 10_000,
        pattern: linesOfText,
        description: 'Run by `sh`; empty: no build, whatever bottega.json says',
      }),
    ),
    output_directory: Type.Optional(outputDirectory),
    environment_variables: Type.Optional(
      Type.Record(Type.String({ pattern: variableName }), VariableValue, {
        maxProperties: 100,
        additionalProperties: false,
        description:
          'Beside the project’s variables, and instead of those of the same name; encrypted at rest, masked in logs. ' +
          'Without the field, those of the last deployment to the environment are kept',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ environment: 'production', branch: 'main', build_command: 'npm ci && npm run build' }],
  },
);
export type CreateDeployment = Static<typeof CreateDeployment>;

export const logLevels = ['info', 'warn', 'error'] as const;

export const logSources = ['build', 'runtime'] as const;

export const LogEntry = named('LogEntry', {
  seq: Type.Integer({ description: 'Rises by line; `after` takes it' }),
  timestamp: Timestamp,
  level: Type.Enum(logLevels),
  stream: Type.Enum(['system', 'stdout', 'stderr', 'app']),
  source: Type.Enum(logSources, { description: '`runtime`: of a running server app, or about it' }),
  message: Type.String(),
});
export type LogEntry = Static<typeof LogEntry>;

export const DeploymentLogs = Type.Object({ logs: Type.Array(LogEntry) });

export const DeploymentLogsQuery = Type.Object({
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Lines behind this one only' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'At most so many; all without it' })),
  source: Type.Optional(Type.Enum(logSources, { description: 'Lines of this kind only; all without it' })),
});

export const DeploymentArtifacts = Type.Object({
  build_id: Type.String(),
  size: Type.Integer({ description: 'Bytes in all' }),
  artifacts: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Path below the output directory' }),
      size: Type.Integer(),
      mime_type: Type.String(),
      checksum: Type.String({ description: '`sha256:` and the hex digest' }),
      url: nullableText('null for the files of a server app'),
    }),
  ),
});
export type DeploymentArtifacts = Static<typeof DeploymentArtifacts>;
