import { type Static, type TSchema, Type } from 'typebox';
import { ErrorBody, errorCodes } from './errors.ts';
import { Commit, changedFiles, encoding, message, path } from './files.ts';
import { defaulted, named, strict } from './primitives.ts';

const sha = Type.String({ pattern: '^[0-9a-f]{40}$' });
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const CompareQuery = Type.Object({
  base: Type.String({ minLength: 1, maxLength: 255, examples: ['main'], description: 'A branch, a tag or a commit' }),
  head: Type.String({
    minLength: 1,
    maxLength: 255,
    examples: ['one', 'main'],
    description: 'A branch, a tag or a commit',
  }),
  summary: defaulted(
    Type.Boolean({ default: false, description: 'Return only counts, without commits and files; `mergeable` is null' }),
  ),
  diffs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 300,
      default: 300,
      description: 'Number of files that include `diff` and counts',
    }),
  ),
});
export type CompareQuery = Static<typeof CompareQuery>;

export const Comparison = named('Comparison', {
  base: Type.String({ description: 'Commit id of `base`' }),
  head: Type.String({ description: 'Commit id of `head`' }),
  merge_base: nullable(Type.String({ description: 'The newest common commit; null if there is none' })),
  status: Type.Enum(['identical', 'ahead', 'behind', 'diverged', 'unrelated']),
  ahead: Type.Integer({ description: 'Number of commits in `head` but not in `base`' }),
  behind: Type.Integer({ description: 'Number of commits in `base` but not in `head`' }),
  commits: Type.Array(Commit, { description: 'Commits in `head` but not in `base`, newest first; at most 100' }),
  ...changedFiles,
  mergeable: nullable(
    Type.Boolean({
      description:
        'Whether `head` can be merged into `base` without conflicts. null if `summary` is set, the check took too long, or the server’s git is too old.',
    }),
  ),
  conflicts: Type.Array(Type.String(), { description: 'Paths with conflicting changes' }),
});
export type Comparison = Static<typeof Comparison>;

export const mergeStrategies = ['merge', 'squash', 'rebase', 'fast-forward'] as const;

const Resolution = strict({
  path,
  content: Type.Optional(Type.String({ description: 'The resolved content of the file' })),
  encoding: Type.Optional(encoding),
  delete: Type.Optional(Type.Literal(true, { description: 'Delete the file' })),
  take: Type.Optional(
    Type.Enum(['ours', 'theirs'], {
      description:
        'Use the file and its mode from `target` (ours) or `source` (theirs). If that side has no such file, the file is deleted.',
    }),
  ),
});

export const CreateMerge = Type.Object(
  {
    source: Type.String({ minLength: 1, maxLength: 255, description: 'A branch, a tag or a commit' }),
    target: Type.String({ minLength: 1, maxLength: 200, description: 'The branch to merge into' }),
    strategy: Type.Optional(
      Type.Enum([...mergeStrategies], {
        default: 'merge',
        description:
          '`merge` creates a commit with both parents, `squash` creates a commit with `target` as its only parent, `rebase` repeats the commits of `source` on `target`, and `fast-forward` moves `target` to `source`',
      }),
    ),
    message: Type.Optional(message),
    source_sha: Type.Optional(
      Type.String({ ...sha, description: 'The commit that `source` must point to; otherwise, the response is a 409' }),
    ),
    target_sha: Type.Optional(
      Type.String({ ...sha, description: 'The commit that `target` must point to; otherwise, the response is a 409' }),
    ),
    resolutions: Type.Optional(
      Type.Array(Resolution, {
        minItems: 1,
        maxItems: 1000,
        description: 'One entry per conflict, each with exactly one of `content`, `delete` and `take`',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ source: 'feature', target: 'main' }] },
);
export type CreateMerge = Static<typeof CreateMerge>;
export type Resolution = Static<typeof Resolution>;

export const conflictKinds = [
  'content',
  'add/add',
  'modify/delete',
  'rename/delete',
  'rename/rename',
  'directory rename',
  'file/directory',
  'type',
  'mode',
  'submodule',
  'other',
] as const;

const ConflictSide = Type.Object({
  sha: Type.String({ description: 'Git object id of the content' }),
  mode: Type.String({ examples: ['100644'] }),
  content: nullable(
    Type.String({
      description:
        'null if the content is not text or is larger than 256 KiB, or if the response reached its size limit',
    }),
  ),
});

export const MergeConflict = named('MergeConflict', {
  path: Type.String(),
  kind: Type.Enum([...conflictKinds]),
  binary: Type.Boolean({ description: 'Whether one side is not text' }),
  base: nullable(ConflictSide),
  ours: nullable(ConflictSide),
  theirs: nullable(ConflictSide),
  merged: nullable(
    Type.String({ description: 'The merged text with conflict markers; null under the same conditions as `content`' }),
  ),
});
export type MergeConflict = Static<typeof MergeConflict>;

export const mergeRefusals = [
  'conflicts',
  'nothing_to_merge',
  'not_fast_forward',
  'unrelated_histories',
  'source_moved',
  'target_moved',
] as const;

export const mergeBlocks = [
  'draft',
  'closed',
  'conflicts',
  'approvals',
  'changes_requested',
  'owners',
  'check_missing',
  'check_pending',
  'check_failed',
  'definition_changed',
] as const;

/** One thing that a merge request misses before it can be merged. */
export const MergeBlock = Type.Object({
  reason: Type.Enum([...mergeBlocks]),
  message: Type.String(),
  names: Type.Array(Type.String(), {
    description: 'Names of the checks, people or files that the reason is about; empty if there are none',
  }),
});
export type MergeBlock = Static<typeof MergeBlock>;

/**
 * The body of a 409 from a merge. A 409 for another reason, such as an archived project, does not have these details.
 */
export const MergeRefused = named('MergeRefused', {
  error: Type.Object({
    ...ErrorBody.properties.error.properties,
    code: Type.Enum(Object.keys(errorCodes) as (keyof typeof errorCodes)[]),
    details: Type.Union([
      ErrorBody.properties.error.properties.details,
      Type.Object({
        reason: Type.Enum([...mergeRefusals]),
        source_sha: Type.String(),
        target_sha: Type.String(),
        conflicts: Type.Optional(Type.Array(MergeConflict)),
        total: Type.Optional(Type.Integer({ description: 'Number of conflicts; the first 1,000 are listed' })),
      }),
      Type.Object(
        { reason: Type.Literal('not_ready'), blocked_by: Type.Array(MergeBlock) },
        { description: 'Only for merge requests: what is missing before the merge' },
      ),
    ]),
  }),
});
export type MergeDetails = {
  reason: (typeof mergeRefusals)[number];
  source_sha: string;
  target_sha: string;
  conflicts?: MergeConflict[];
  total?: number;
};
