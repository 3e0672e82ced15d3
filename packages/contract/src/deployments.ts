import { type Static, Type } from 'typebox';
import { defaulted, lineOfText, linesOfText, NullableTimestamp, named, PageInfo, Timestamp } from './primitives.ts';
import { codeOfField } from './reasons/coded-reason.ts';
import { appReasons, deploymentReasons } from './reasons/reasons.ts';
import { Environment, VariableValue, variableName } from './variables.ts';

export const deploymentStatuses = ['pending', 'building', 'success', 'failed', 'canceled'] as const;
const Status = Type.Enum(deploymentStatuses);
export type DeploymentStatus = Static<typeof Status>;

const nullableText = (description?: string) =>
  Type.Union([Type.String(), Type.Null()], description === undefined ? {} : { description });
const nullableInteger = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

/** Why a build or a deployment did not succeed. `type` is for programs, and `message` is for people. */
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
  exit_code: nullableInteger('Exit code of the build command, or of an app that exited before it was ready'),
  output: Type.Optional(nullableText('The most informative line that the command wrote to standard error')),
  source: Type.Optional(
    Type.Union(
      [
        Type.Object({
          file: Type.String({ description: 'Path relative to the project’s root' }),
          line: nullableInteger('Starts at 1'),
          column: nullableInteger('Starts at 1'),
        }),
        Type.Null(),
      ],
      { description: 'Location of the error, according to the output' },
    ),
  ),
};
const EndingSchema = Type.Object(Ending);
/** How a command of the project ended. */
export type DeploymentEnding = Static<typeof EndingSchema>;

const failure = { type: Type.Enum(deploymentErrorTypes), message: Type.String(), ...Ending };
const FailureSchema = Type.Object(failure);
/** Why a deployment failed, as it is stored. */
export type DeploymentError = Static<typeof FailureSchema>;
const DeploymentError = Type.Object({ ...failure, ...codeOfField('message', deploymentReasons) });

const RunningApp = Type.Object(
  {
    status: Type.Enum(['starting', 'running', 'sleeping', 'failed']),
    restarts: Type.Integer({
      description: 'Number of automatic restarts after crashes since the app was last started',
    }),
    problem: nullableText('Why the process last exited, or why it cannot start'),
    ...codeOfField('problem', appReasons),
  },
  { description: 'Process of a server app' },
);

export const Deployment = named('Deployment', {
  id: Type.String({ examples: ['dep_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  project_id: Type.String(),
  build_id: Type.String({
    examples: ['bld_01jd2m6vz8e3r9x5k7q4w1t0ab'],
    description: 'Empty unless you are a member of the project',
  }),
  status: Status,
  environment: Environment,
  branch: Type.String(),
  trigger: Type.Enum(['manual', 'push', 'redeploy'], { description: 'Same value as in the deployment’s events' }),
  url: nullableText('The deployment’s own address; null until the deployment succeeds and after its files are purged'),
  branch_url: nullableText('Only for previews: the address of the branch’s newest preview'),
  retired_at: Type.Union([Timestamp, Type.Null()], {
    description:
      'Only for previews: when the preview stopped being served, because its branch was deleted or it expired',
  }),
  commit: Type.Object(
    { sha: nullableText(), message: nullableText(), author: nullableText() },
    { description: 'All fields are null without version control' },
  ),
  build_command: nullableText('The requested command; null means the command from bottega.json'),
  output_directory: nullableText(
    'The requested directory; null means that the directory comes from bottega.json or is detected',
  ),
  environment_variables: Type.Array(Type.String(), { description: 'Names only; the API never returns the values' }),
  own_environment_variables: Type.Array(Type.String(), {
    description: 'Names of variables that were set for this deployment, not for the project',
  }),
  created_at: Timestamp,
  started_at: NullableTimestamp,
  completed_at: NullableTimestamp,
  duration: nullableInteger('In seconds'),
  queue_position: nullableInteger('1 means that this deployment starts next; null unless it is pending'),
  app: Type.Union([RunningApp, Type.Null()], { description: 'null for static files' }),
  is_live: Type.Boolean({ description: 'Whether the project’s live address serves this deployment' }),
  logs_url: Type.String({ description: 'Empty unless you are a member of the project' }),
  error: Type.Union([DeploymentError, Type.Null()]),
});
export type Deployment = Static<typeof Deployment>;

export const DeploymentList = Type.Object({ data: Type.Array(Deployment), pagination: PageInfo });

export const EnvironmentList = Type.Object({
  data: Type.Array(
    named('Environment', {
      name: Environment,
      latest_deployment: Type.Union([Deployment, Type.Null()], {
        description: 'null if the environment has variables but no deployments',
      }),
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
  description: 'Path relative to the project’s root, such as `dist`. Default: specified in bottega.json, or detected.',
});

export const CreateDeployment = Type.Object(
  {
    environment: Type.Optional(Type.String({ ...Environment, default: 'production' })),
    branch: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: lineOfText, default: 'main' })),
    build_command: Type.Optional(
      Type.String({
        maxLength: 10_000,
        pattern: linesOfText,
        description: 'Runs in `sh`. If empty, no build runs, even if bottega.json specifies a command.',
      }),
    ),
    output_directory: Type.Optional(outputDirectory),
    environment_variables: Type.Optional(
      Type.Record(Type.String({ pattern: variableName }), VariableValue, {
        maxProperties: 100,
        additionalProperties: false,
        description:
          'Variables in addition to the project’s variables. They override project variables with the same name. Encrypted at rest and masked in logs. ' +
          'Default: the values from the last deployment to the environment.',
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
  seq: Type.Integer({ description: 'Increases with each line. Pass it as `after` to get later lines.' }),
  timestamp: Timestamp,
  level: Type.Enum(logLevels),
  stream: Type.Enum(['system', 'stdout', 'stderr', 'app']),
  source: Type.Enum(logSources, { description: '`runtime`: written by or about a running server app' }),
  message: Type.String(),
});
export type LogEntry = Static<typeof LogEntry>;

export const DeploymentLogs = Type.Object({ logs: Type.Array(LogEntry) });

export const DeploymentLogsQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Only lines after this `seq`' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'Maximum number of lines; default: all' }),
  ),
  source: Type.Optional(Type.Enum(logSources, { description: 'Only lines from this source; default: all' })),
});

export const DeploymentArtifacts = Type.Object({
  build_id: Type.String(),
  size: Type.Integer({ description: 'Total size in bytes' }),
  artifacts: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Path relative to the output directory' }),
      size: Type.Integer(),
      mime_type: Type.String(),
      checksum: Type.String({ description: '`sha256:` followed by the hex digest' }),
      url: nullableText('null for a server app’s files'),
    }),
  ),
});
export type DeploymentArtifacts = Static<typeof DeploymentArtifacts>;
