import { type Static, Type } from 'typebox';
import { branchName as newBranchName } from './files.ts';
import { lineOfText, linesOfText, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';
import { codeOfField } from './reasons/coded-reason.ts';
import { workspaceReasons } from './reasons/reasons.ts';
import { VariableValue, variableName } from './variables.ts';

export const workspaceStatuses = ['starting', 'running', 'sleeping', 'failed'] as const;
export type WorkspaceStatus = (typeof workspaceStatuses)[number];
export const workspaceModes = ['follow', 'own'] as const;
export type WorkspaceMode = (typeof workspaceModes)[number];
const workspaceNetworks = ['public', 'off'] as const;
export const portVisibilities = ['owner', 'members', 'public'] as const;
export type PortVisibility = (typeof portVisibilities)[number];

/** The languages whose servers a workspace can run. `typescript` includes JavaScript. */
export const workspaceLanguages = ['typescript', 'python'] as const;
export type WorkspaceLanguage = (typeof workspaceLanguages)[number];

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const nullableInteger = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const Workspace = named('Workspace', {
  id: Type.String({ examples: ['wks_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  project_id: Type.String(),
  name: Type.String(),
  branch: Type.String({ description: 'The branch whose files the workspace contains' }),
  mode: Type.Enum(workspaceModes, {
    description: '`follow`: the workspace shares an existing branch. `own`: the branch was created for the workspace.',
  }),
  status: Type.Enum(workspaceStatuses),
  reason: nullableText(
    'Why the workspace failed or last stopped without a request, or which files could not be saved or restored',
  ),
  ...codeOfField('reason', workspaceReasons),
  created_by: Type.String({ description: 'The user who created the workspace' }),
  created_at: Timestamp,
  started_at: NullableTimestamp,
  last_used_at: Timestamp,
  sleeps_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When the workspace will go to sleep if nobody uses it until then; null unless it is running',
  }),
  saved_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When all files that git tracks were last the same in the workspace and on its branch',
  }),
  ignored_saved_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Time of the last complete copy of the files that git ignores, outside the worker of the workspace',
  }),
  network: Type.Union([Type.Enum(workspaceNetworks), Type.Null()], {
    description:
      'Since the last start: `public` if programs in the workspace can reach public addresses, `off` if they can reach none. Null before the first start.',
  }),
  language_servers: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'Whether the workspace has been able to run language servers since its last start; null before the first start',
  }),
  running_seconds: Type.Integer({ description: 'How long the workspace has run in total' }),
});
export type Workspace = Static<typeof Workspace>;

export const WorkspaceList = Type.Object({ data: Type.Array(Workspace) });

const branchName = Type.String({ minLength: 1, maxLength: 255, pattern: lineOfText });

export const CreateWorkspace = Type.Object(
  {
    branch: Type.Optional(
      Type.String({
        ...branchName,
        description: 'With mode `own`, the branch that the new branch starts from. Default: `main`',
      }),
    ),
    mode: Type.Optional(
      Type.Enum(workspaceModes, {
        default: 'follow',
        description: '`own` creates a branch for the workspace, which you can merge later',
      }),
    ),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText })),
    from_snapshot: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Id of a snapshot. The workspace begins with the snapshot’s files that git ignores. Without `branch`, the workspace ' +
          'follows the snapshot’s branch or, with mode `own`, starts from the snapshot’s commit.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ branch: 'main' }] },
);
export type CreateWorkspace = Static<typeof CreateWorkspace>;

const workspaceName = Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText });

export const ForkWorkspace = strict({
  branch: Type.Optional(
    Type.String({ ...newBranchName, description: 'Name of the new branch. Default: `workspace/…`' }),
  ),
  name: Type.Optional(Type.String({ ...workspaceName, description: 'Name of the new workspace' })),
});
export type ForkWorkspace = Static<typeof ForkWorkspace>;

export const CreateSnapshot = strict({ name: Type.String({ ...workspaceName, examples: ['With test data'] }) });
export type CreateSnapshot = Static<typeof CreateSnapshot>;

export const WorkspaceSnapshot = named('WorkspaceSnapshot', {
  id: Type.String({ examples: ['snp_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  project_id: Type.String(),
  workspace_id: Type.String({ description: 'The workspace, which may have been deleted since' }),
  name: Type.String(),
  branch: Type.String({ description: 'The branch of the workspace' }),
  commit: nullableText('Id of the commit at the tip of the branch; null if the branch had none'),
  size: Type.Integer({ description: 'Stored bytes of the files that git ignores' }),
  created_at: Timestamp,
});
export type WorkspaceSnapshot = Static<typeof WorkspaceSnapshot>;

export const WorkspaceSnapshotList = Type.Object({ data: Type.Array(WorkspaceSnapshot) });

export const commandSignals = ['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGHUP'] as const;

const Command = {
  id: Type.String({ examples: ['cmd_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  command: Type.String(),
  cwd: Type.String({ description: 'Working directory, relative to the project’s root' }),
  status: Type.Enum(['running', 'exited']),
  exit_code: nullableInteger('null while the command runs, or if a signal ended it'),
  signal: nullableText('The signal that ended the command'),
  timed_out: Type.Boolean({ description: 'Whether the command was stopped because of its timeout' }),
  started_at: Timestamp,
  duration: Type.Number({ description: 'In seconds' }),
};

export const WorkspaceCommand = named('WorkspaceCommand', Command);
export type WorkspaceCommand = Static<typeof WorkspaceCommand>;

export const WorkspaceCommandList = Type.Object({ data: Type.Array(WorkspaceCommand) });

export const WorkspaceCommandResult = named('WorkspaceCommandResult', {
  ...Command,
  stdout: Type.String(),
  stderr: Type.String(),
  truncated: Type.Boolean({
    description: 'Whether the beginning of the output was dropped. The last 1,048,576 bytes are kept.',
  }),
});
export type WorkspaceCommandResult = Static<typeof WorkspaceCommandResult>;

export const RunCommand = Type.Object(
  {
    command: Type.String({ minLength: 1, maxLength: 100_000, pattern: linesOfText, description: 'Runs in `sh`' }),
    cwd: Type.Optional(
      Type.String({ maxLength: 4_096, pattern: lineOfText, description: 'Relative to the project’s root' }),
    ),
    env: Type.Optional(
      Type.Record(Type.String({ pattern: variableName }), VariableValue, {
        maxProperties: 100,
        additionalProperties: false,
        description: 'Variables in addition to the project’s `development` variables',
      }),
    ),
    stdin: Type.Optional(Type.String({ maxLength: 1_000_000 })),
    timeout: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        description: 'In seconds. Default: 60, or no limit in the background. At most 600 unless in the background.',
      }),
    ),
    background: Type.Optional(
      Type.Boolean({ default: false, description: 'Return immediately with 201; the command keeps running' }),
    ),
  },
  { additionalProperties: false, examples: [{ command: 'npm test' }] },
);
export type RunCommand = Static<typeof RunCommand>;

export const CommandOutputQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({ minimum: 0, default: 0, description: 'Position in bytes; return only later output' }),
  ),
});

export const CommandOutput = named('CommandOutput', {
  ...Command,
  data: Type.Array(
    Type.Object({
      position: Type.Integer({ description: 'Position after this piece. Pass it as `after` to get later output.' }),
      stream: Type.Enum(['stdout', 'stderr']),
      text: Type.String(),
    }),
  ),
  truncated: Type.Boolean({ description: 'Whether output between `after` and the first piece was dropped' }),
});
export type CommandOutput = Static<typeof CommandOutput>;

export const CommandInput = strict({
  data: Type.Optional(Type.String({ maxLength: 1_000_000 })),
  close: Type.Optional(Type.Boolean({ default: false, description: 'Close standard input after the data' })),
});

export const CommandSignal = strict({ signal: Type.Optional(Type.Enum(commandSignals, { default: 'SIGTERM' })) });

const size = (description: string, standard: number) =>
  Type.Optional(Type.Integer({ minimum: 2, maximum: 1_000, default: standard, description }));

export const OpenTerminal = strict({
  cols: size('Width in characters', 80),
  rows: size('Height in lines', 24),
  cwd: Type.Optional(
    Type.String({
      maxLength: 4_096,
      pattern: lineOfText,
      description: 'Directory in which the shell starts, relative to the project’s root',
    }),
  ),
});

export const WorkspaceTerminal = named('WorkspaceTerminal', {
  id: Type.String({ examples: ['trm_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  cols: Type.Integer(),
  rows: Type.Integer(),
  viewers: Type.Integer({ description: 'Number of open connections to the terminal' }),
  started_at: Timestamp,
  exit_code: nullableInteger('null while the shell runs'),
});
export type WorkspaceTerminal = Static<typeof WorkspaceTerminal>;

export const WorkspaceTerminalList = Type.Object({ data: Type.Array(WorkspaceTerminal) });

export const WorkspacePort = named('WorkspacePort', {
  port: Type.Integer(),
  label: nullableText('Name of the port'),
  visibility: Type.Enum(portVisibilities, {
    description:
      '`owner`: only the user who created the workspace. `members`: all members of the project. `public`: everyone.',
  }),
  url: Type.String({ description: 'Address at which the port is reached' }),
  listening: Type.Boolean({ description: 'Whether a program listens on the port now' }),
});
export type WorkspacePort = Static<typeof WorkspacePort>;

export const WorkspacePortList = Type.Object({ data: Type.Array(WorkspacePort) });

export const ChangeWorkspacePort = strict({
  visibility: Type.Optional(Type.Enum(portVisibilities)),
  label: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText }), Type.Null()])),
});
export type ChangeWorkspacePort = Static<typeof ChangeWorkspacePort>;

export const CreatePortTicket = strict({
  path: Type.Optional(
    Type.String({ maxLength: 4_096, pattern: '^/[^\\\\]*$', default: '/', description: 'Path that the link opens' }),
  ),
});

export const PortTicket = Type.Object({ url: Type.String(), expires_at: Timestamp });

export const problemSeverities = ['error', 'warning', 'information', 'hint'] as const;

export const WorkspaceProblem = named('WorkspaceProblem', {
  path: Type.String(),
  line: Type.Integer({ description: 'From 1' }),
  column: Type.Integer({ description: 'From 1, in UTF-16 code units' }),
  end_line: Type.Integer(),
  end_column: Type.Integer({ description: 'After the last character' }),
  severity: Type.Enum(problemSeverities),
  message: Type.String(),
  code: nullableText('Code that identifies the problem in its language, such as `2322`'),
  source: nullableText('The program that found the problem'),
});
export type WorkspaceProblem = Static<typeof WorkspaceProblem>;

export const WorkspaceProblemList = Type.Object({
  data: Type.Array(WorkspaceProblem),
  truncated: Type.Boolean({ description: 'Whether there are more than 500 files or more than 1,000 problems' }),
});
export type WorkspaceProblemList = Static<typeof WorkspaceProblemList>;

export const ProblemsQuery = Type.Object({
  language: Type.Optional(
    Type.Enum(workspaceLanguages, {
      description: '`typescript` includes JavaScript. Default: the language of the path, or `typescript`',
    }),
  ),
  path: Type.Optional(
    Type.String({
      maxLength: 4_096,
      description: 'Only the problems of this file. Default: all files of the language',
    }),
  ),
});
