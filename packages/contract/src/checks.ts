import { type Static, Type } from 'typebox';
import { LogEntry } from './deployments.ts';
import { path } from './files.ts';
import {
  defaulted,
  lineOfText,
  linesOfText,
  NullableTimestamp,
  named,
  PageInfo,
  strict,
  Timestamp,
} from './primitives.ts';
import { codeOfField } from './reasons/coded-reason.ts';
import { checkReasons } from './reasons/reasons.ts';

/** Names that tools and agents know from GitHub. */
export const checkStatuses = ['queued', 'in_progress', 'completed'] as const;
export type CheckStatus = (typeof checkStatuses)[number];
export const checkConclusions = [
  'success',
  'failure',
  'neutral',
  'cancelled',
  'skipped',
  'timed_out',
  'action_required',
] as const;
export type CheckConclusion = (typeof checkConclusions)[number];
export const annotationLevels = ['notice', 'warning', 'failure'] as const;
/** What all checks of a commit or of a merge request say together. */
export const checkStates = ['none', 'pending', 'success', 'failure'] as const;
export type CheckState = (typeof checkStates)[number];

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const checkName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\p{Cc}]+$',
  examples: ['test'],
});
const sha = Type.String({ pattern: '^[0-9a-f]{40}$', examples: ['3f2a1c0d4e5b6978a0b1c2d3e4f5061728394a5b'] });
const line = Type.Integer({ minimum: 1, maximum: 10_000_000 });

const annotation = {
  path: Type.String({ ...path, description: 'A file of the commit' }),
  start_line: line,
  end_line: line,
  annotation_level: Type.Enum(annotationLevels),
  title: Type.Optional(Type.String({ maxLength: 255, pattern: lineOfText })),
  message: Type.String({ minLength: 1, maxLength: 65_536, pattern: linesOfText }),
};
export const CheckAnnotation = named('CheckAnnotation', { ...annotation, title: Type.String() });
export type CheckAnnotation = Static<typeof CheckAnnotation>;
export const CheckAnnotationList = Type.Object({ data: Type.Array(CheckAnnotation) });

export const CheckRun = named('CheckRun', {
  id: Type.String({ examples: ['chk_01m7p9c8zke6f8r3t5v7x9y1b2'] }),
  project_id: Type.String(),
  name: Type.String(),
  head_sha: Type.String({
    description: 'The commit for which the check was first requested. The result belongs to the tree of the commit',
  }),
  tree_sha: Type.String({ description: 'The tree that is checked: all files of the commit' }),
  source: Type.Enum(['project', 'outside'], {
    description: '`project`: a check from bottega.json that runs here. `outside`: a check that another system reports',
  }),
  status: Type.Enum(checkStatuses),
  conclusion: orNull(Type.Enum(checkConclusions), 'Null until the check is completed'),
  command: orNull(Type.String(), 'The command that the check runs; null for a check that another system reports'),
  needs: Type.Array(Type.String(), { description: 'Names of checks that must succeed before this check runs' }),
  attempt: Type.Integer({ description: 'How many times the check was started' }),
  details_url: orNull(Type.String()),
  external_id: orNull(Type.String()),
  output: Type.Object({
    title: Type.String(),
    summary: Type.String({ description: 'Markdown' }),
    annotations_count: Type.Integer(),
  }),
  created_at: Timestamp,
  started_at: NullableTimestamp,
  completed_at: NullableTimestamp,
});
export type CheckRun = Static<typeof CheckRun>;
export const CheckRunList = Type.Object({ data: Type.Array(CheckRun), pagination: PageInfo });

export const CheckRunQuery = Type.Object({
  ref: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A branch, a tag or a commit' })),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  status: Type.Optional(Type.Enum(checkStatuses)),
  page: defaulted(Type.Integer({ minimum: 1, maximum: 1_000, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});
export type CheckRunQuery = Static<typeof CheckRunQuery>;

const output = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: 255, pattern: lineOfText })),
    summary: Type.Optional(Type.String({ maxLength: 65_536, pattern: linesOfText, description: 'Markdown' })),
    annotations: Type.Optional(
      Type.Array(strict(annotation), {
        maxItems: 50,
        description: 'Added to the annotations that the check already has',
      }),
    ),
  },
  { additionalProperties: false },
);
/** Without defaults, which would reset what a change does not name. */
const reported = {
  status: Type.Optional(Type.Enum(checkStatuses)),
  conclusion: Type.Optional(Type.Enum(checkConclusions, { description: 'Required when `status` is `completed`' })),
  details_url: Type.Optional(
    Type.String({
      maxLength: 2_048,
      pattern: '^https?://[^\\s\\p{Cc}]+$',
      description: 'Address at which the other system shows the check',
    }),
  ),
  external_id: Type.Optional(Type.String({ maxLength: 255, pattern: lineOfText })),
  started_at: Type.Optional(Timestamp),
  completed_at: Type.Optional(Timestamp),
  output: Type.Optional(output),
};

/** From another system, in GitHub's shape. */
export const CreateCheckRun = Type.Object(
  {
    name: checkName,
    head_sha: sha,
    ...reported,
    status: Type.Optional(Type.Enum(checkStatuses, { default: 'queued' })),
  },
  {
    additionalProperties: false,
    examples: [
      {
        name: 'integration',
        head_sha: '3f2a1c0d4e5b6978a0b1c2d3e4f5061728394a5b',
        status: 'completed',
        conclusion: 'success',
      },
    ],
  },
);
export type CreateCheckRun = Static<typeof CreateCheckRun>;
export const ChangeCheckRun = strict(reported);
export type ChangeCheckRun = Static<typeof ChangeCheckRun>;

export const RunChecks = strict({
  ref: Type.Optional(Type.String({ minLength: 1, maxLength: 255, default: 'main' })),
  names: Type.Optional(
    Type.Array(checkName, {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'Names of the checks to run; default: all',
    }),
  ),
});
export type RunChecks = Static<typeof RunChecks>;

export const CommitChecks = named('CommitChecks', {
  sha: Type.String(),
  state: Type.Enum(checkStates),
  data: Type.Array(CheckRun),
});
export type CommitChecks = Static<typeof CommitChecks>;

/** A check of a merge request. It has no run while another system has not reported it, or if it does not apply. */
export const RequestCheck = Type.Object({
  name: Type.String(),
  required: Type.Boolean({ description: 'Whether a rule of the target branch requires this check' }),
  applies: Type.Boolean({ description: 'False if the request changes none of the `paths` of the check' }),
  changed: Type.Boolean({ description: 'Whether the request changes how the check is defined' }),
  run: orNull(CheckRun),
});
export type RequestCheck = Static<typeof RequestCheck>;
export const RequestChecks = named('RequestChecks', {
  state: Type.Enum(checkStates),
  merge_sha: orNull(Type.String(), 'The commit that is checked: the merge of the newest version into the target'),
  problem: orNull(Type.String(), 'Why nothing can be checked, such as conflicts or a mistake in bottega.json'),
  ...codeOfField('problem', checkReasons),
  needs_start: Type.Boolean({
    description: 'Whether the checks of this version are waiting for a member who can edit the project to start them',
  }),
  data: Type.Array(RequestCheck),
});
export type RequestChecks = Static<typeof RequestChecks>;

export const StartRequestChecks = strict({
  head_sha: Type.String({
    pattern: '^[0-9a-f]{40}$',
    examples: ['3f2a1c0d4e5b6978a0b1c2d3e4f5061728394a5b'],
    description: 'The commit that you looked at; 409 if the merge request has a newer one',
  }),
});
export type StartRequestChecks = Static<typeof StartRequestChecks>;

export const CheckLogs = Type.Object({ logs: Type.Array(LogEntry) });
