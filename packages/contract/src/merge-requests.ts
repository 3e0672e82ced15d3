import { type Static, Type } from 'typebox';
import { branchName, changedFiles, message, path } from './files.ts';
import { MergeBlock } from './merging.ts';
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
import { forkReasons } from './reasons/reasons.ts';
import { markdownWithMentions, versionNumber } from './reviews.ts';

export const mergeRequestStates = ['open', 'merged', 'closed'] as const;
export type MergeRequestState = (typeof mergeRequestStates)[number];
export const requestStrategies = ['merge', 'squash', 'rebase', 'fast_forward'] as const;
export type RequestStrategy = (typeof requestStrategies)[number];

const sha = Type.String({ pattern: '^[0-9a-f]{40}$', examples: ['3f2a1c0d4e5b6978a0b1c2d3e4f5061728394a5b'] });
const nullableSha = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** Somebody in a merge request. Null where the account was deleted. */
const Somebody = Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()]);
export type Somebody = Static<typeof Somebody>;

const title = Type.String({ minLength: 1, maxLength: 255, pattern: lineOfText, examples: ['Say hello in French'] });
const description = Type.String({ maxLength: 65_536, pattern: linesOfText, description: markdownWithMentions });
const people = (what: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: 50,
    uniqueItems: true,
    description: `Ids of members ${what}`,
  });
const labels = Type.Array(Type.String({ minLength: 1, maxLength: 50, pattern: lineOfText }), {
  maxItems: 20,
  uniqueItems: true,
  examples: [['bug', 'documentation']],
});

export const queueStates = ['waiting', 'testing'] as const;
const QueuePlace = Type.Object({
  state: Type.Enum(queueStates, {
    description:
      '`waiting`: something that is required is still missing. `testing`: the checks of the merge result are running',
  }),
  position: Type.Integer({ description: 'Position in the queue, starting at 1' }),
  strategy: Type.Enum(requestStrategies),
  queued_by: Somebody,
  queued_at: Timestamp,
  test_sha: nullableSha(
    'The commit that is tested: the target with this merge request and all merge requests before it in the queue',
  ),
});
export type QueuePlace = Static<typeof QueuePlace>;

export const MergeRequest = named('MergeRequest', {
  number: Type.Integer({ description: 'Number of the merge request in its project, starting at 1' }),
  project_id: Type.String(),
  project_name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  state: Type.Enum(mergeRequestStates),
  draft: Type.Boolean({
    description: 'Whether the author is still working on the merge request; a draft cannot be merged',
  }),
  source: Type.String({ description: 'The branch with the changes' }),
  source_project: Type.Union(
    [Type.Object({ id: Type.String(), name: Type.Union([Type.String(), Type.Null()]) }), Type.Null()],
    {
      description:
        'The fork that contains the branch `source`; null if the project itself contains it. `name` is null if the fork was purged',
    },
  ),
  source_problem: Type.Union([Type.String(), Type.Null()], {
    description: 'Why newer commits of the fork did not become a version; null if there is no problem',
  }),
  ...codeOfField('source_problem', forkReasons),
  target: Type.String({ description: 'The branch that the changes are for' }),
  head_sha: Type.String({ description: 'The head of the newest version' }),
  version: Type.Integer({ description: 'Number of the newest version' }),
  author: Somebody,
  reviewers: Type.Array(Somebody),
  assignees: Type.Array(Somebody),
  labels: Type.Array(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  merged_at: NullableTimestamp,
  closed_at: NullableTimestamp,
  merged_by: Type.Union([Somebody, Type.Null()]),
  merge_sha: nullableSha(
    'The commit on `target` that resulted from the merge; null unless the merge request was merged',
  ),
  queue: Type.Union([QueuePlace, Type.Null()], {
    description: 'Place of the merge request in the queue of its target; null if the merge request is not queued',
  }),
  url: Type.String({ description: 'Address of the merge request in the dashboard' }),
});
export type MergeRequest = Static<typeof MergeRequest>;

export const MergeRequestList = Type.Object({ data: Type.Array(MergeRequest), pagination: PageInfo });

export const MergeRequestQuery = Type.Object({
  state: Type.Optional(Type.Enum(mergeRequestStates)),
  author: Type.Optional(Type.String({ maxLength: 64, description: 'Id of the author, or `me`' })),
  reviewer: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a reviewer, or `me`' })),
  assignee: Type.Optional(Type.String({ maxLength: 64, description: 'Id of an assignee, or `me`' })),
  label: Type.Optional(Type.String({ maxLength: 50 })),
  source: Type.Optional(
    Type.String({ maxLength: 255, description: 'A branch of the project itself; branches of forks do not match' }),
  ),
  target: Type.Optional(Type.String({ maxLength: 255 })),
  page: defaulted(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,9}$',
      description: 'Start of the page, from the `next` link of the previous page',
    }),
  ),
});
export type MergeRequestQuery = Static<typeof MergeRequestQuery>;

export const OwnMergeRequestQuery = Type.Object({
  part: defaulted(
    Type.Enum(['waiting', 'author', 'assignee'], {
      default: 'waiting',
      description:
        '`waiting`: merge requests that list you as a reviewer and whose newest version you have not reviewed yet',
    }),
  ),
  state: defaulted(Type.Enum(mergeRequestStates, { default: 'open' })),
  page: defaulted(Type.Integer({ minimum: 1, maximum: 1_000, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});
export type OwnMergeRequestQuery = Static<typeof OwnMergeRequestQuery>;

export const CreateMergeRequest = Type.Object(
  {
    source: Type.String({ ...branchName, description: 'The branch with the changes' }),
    source_project: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Id of your fork of the project, if `source` is a branch of the fork',
      }),
    ),
    target: Type.Optional(Type.String({ ...branchName, default: 'main' })),
    title,
    description: Type.Optional(description),
    draft: Type.Optional(Type.Boolean({ default: false })),
    reviewers: Type.Optional(people('who should review the merge request')),
    assignees: Type.Optional(people('who take care of the merge request')),
    labels: Type.Optional(labels),
  },
  { additionalProperties: false, examples: [{ source: 'feature', title: 'Say hello in French' }] },
);
export type CreateMergeRequest = Static<typeof CreateMergeRequest>;

export const ChangeMergeRequest = strict({
  title: Type.Optional(title),
  description: Type.Optional(description),
  draft: Type.Optional(Type.Boolean()),
  state: Type.Optional(
    Type.Enum(['open', 'closed'], { description: '`closed` closes the merge request, and `open` reopens it' }),
  ),
  target: Type.Optional(branchName),
  reviewers: Type.Optional(people('who should review the merge request; replaces the current list')),
  assignees: Type.Optional(people('who take care of the merge request; replaces the current list')),
  labels: Type.Optional(labels),
});
export type ChangeMergeRequest = Static<typeof ChangeMergeRequest>;

export const MergeRequestVersion = named('MergeRequestVersion', {
  version: Type.Integer(),
  head_sha: Type.String(),
  base_sha: Type.String({ description: 'The head of `target` when the version was created' }),
  merge_base_sha: nullableSha('The newest commit that the source and the target have in common; null if there is none'),
  pushed_by: Somebody,
  created_at: Timestamp,
});
export type MergeRequestVersion = Static<typeof MergeRequestVersion>;
export const MergeRequestVersionList = Type.Object({ data: Type.Array(MergeRequestVersion) });

export const MergeRequestDiffQuery = Type.Object({
  from: Type.Optional({
    ...versionNumber,
    description: 'Show what changed since this version; default: since the merge base',
  }),
  to: Type.Optional({ ...versionNumber, description: 'The version to show; default: the newest' }),
  path: Type.Optional(Type.String({ ...path, description: 'Return this file only, with its diff' })),
  diffs: defaulted(
    Type.Integer({ minimum: 0, maximum: 300, default: 300, description: 'Number of files that include `diff`' }),
  ),
  counts: defaulted(
    Type.Boolean({
      default: false,
      description:
        'Count the changed lines of all files, including files without a diff. Files beyond a size or time limit have 0 additions and 0 deletions.',
    }),
  ),
});
export type MergeRequestDiffQuery = Static<typeof MergeRequestDiffQuery>;

export const MergeRequestDiff = named('MergeRequestDiff', {
  from_sha: nullableSha('The commit on the left side; null if the left side is empty'),
  to_sha: Type.String({ description: 'The commit on the right side' }),
  version: Type.Integer({ description: 'The version on the right side' }),
  ...changedFiles,
});
export type MergeRequestDiff = Static<typeof MergeRequestDiff>;

export const MergeMergeRequest = strict({
  strategy: Type.Optional(Type.Enum(requestStrategies, { default: 'merge' })),
  head_sha: Type.Optional(
    Type.String({ ...sha, description: 'The commit that was reviewed; 409 if the source has moved since' }),
  ),
  message: Type.Optional(message),
  delete_branch: Type.Optional(Type.Boolean({ default: false, description: 'Delete the source branch afterwards' })),
  when_ready: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Put the merge request into the queue of its target, which merges it once it is ready',
    }),
  ),
});
export type MergeMergeRequest = Static<typeof MergeMergeRequest>;

export const QueueMergeRequest = strict({
  strategy: Type.Optional(Type.Enum(requestStrategies, { default: 'merge' })),
  head_sha: Type.Optional(
    Type.String({ ...sha, description: 'The commit that was reviewed; 409 if the source has moved since' }),
  ),
  message: Type.Optional(message),
  delete_branch: Type.Optional(Type.Boolean({ default: false, description: 'Delete the source branch afterwards' })),
});
export type QueueMergeRequest = Static<typeof QueueMergeRequest>;

/** What is missing before a request can be merged. */
export const MergeReadiness = named('MergeReadiness', {
  ready: Type.Boolean(),
  blocked_by: Type.Array(MergeBlock),
  approvals: Type.Object({ given: Type.Integer(), required: Type.Integer() }),
  unknown_owners: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Owners of changed files who cannot approve, because they are not members who can edit the project',
    }),
  ),
  can_merge: Type.Boolean({ description: 'Whether you are allowed to merge the merge request once it is ready' }),
});
export type MergeReadiness = Static<typeof MergeReadiness>;

export const MergeQueueQuery = Type.Object({
  target: defaulted(Type.String({ ...branchName, default: 'main' })),
});
export const MergeQueue = Type.Object({ data: Type.Array(MergeRequest) });
