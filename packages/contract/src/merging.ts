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
    Type.Boolean({ default: false, description: 'Counts only: no commits, no files, and `mergeable` is null' }),
  ),
});
export type CompareQuery = Static<typeof CompareQuery>;

export const Comparison = named('Comparison', {
  base: Type.String({ description: 'The commit that `base` names' }),
  head: Type.String({ description: 'The commit that `head` names' }),
  merge_base: nullable(Type.String({ description: 'The newest commit that both have; null where they have none' })),
  status: Type.Enum(['identical', 'ahead', 'behind', 'diverged', 'unrelated']),
  ahead: Type.Integer({ description: 'Commits of `head` that `base` does not have' }),
  behind: Type.Integer({ description: 'Commits of `base` that `head` does not have' }),
  commits: Type.Array(Commit, { description: 'Those of `head` that `base` does not have, newest first; 100 at most' }),
  ...changedFiles,
  mergeable: nullable(
    Type.Boolean({
      description:
        'Whether `head` can be merged into `base` without a conflict; null where that was not asked, took too long, or needs a newer git',
    }),
  ),
  conflicts: Type.Array(Type.String(), { description: 'The paths that both sides changed in ways that do not fit' }),
});
export type Comparison = Static<typeof Comparison>;

export const mergeStrategies = ['merge', 'squash', 'fast-forward'] as const;

const Resolution = strict({
  path,
  content: Type.Optional(Type.String({ description: 'What the file is to hold' })),
  encoding: Type.Optional(encoding),
  delete: Type.Optional(Type.Literal(true, { description: 'The file goes' })),
  take: Type.Optional(
    Type.Enum(['ours', 'theirs'], {
      description:
        'The file as `target` (ours) or `source` (theirs) has it, mode and all; it goes where that side has none',
    }),
  ),
});

export const CreateMerge = Type.Object(
  {
    source: Type.String({ minLength: 1, maxLength: 255, description: 'A branch, a tag or a commit' }),
    target: Type.String({ minLength: 1, maxLength: 200, description: 'The branch that is merged into' }),
    strategy: Type.Optional(
      Type.Enum([...mergeStrategies], {
        default: 'merge',
        description:
          '`merge` makes a commit with both parents, `squash` one on top of `target` only, `fast-forward` none: `target` moves to `source`',
      }),
    ),
    message: Type.Optional(message),
    source_sha: Type.Optional(Type.String({ ...sha, description: 'Refused with 409 unless `source` is this commit' })),
    target_sha: Type.Optional(
      Type.String({ ...sha, description: 'Refused with 409 unless `target` is at this commit' }),
    ),
    resolutions: Type.Optional(
      Type.Array(Resolution, {
        minItems: 1,
        maxItems: 1000,
        description: 'One for each conflict, with exactly one of `content`, `delete` and `take`',
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
  sha: Type.String({ description: "Git's id of the content" }),
  mode: Type.String({ examples: ['100644'] }),
  content: nullable(
    Type.String({ description: 'Null where it is no text of a file, above 256 KiB, or beyond what one answer shows' }),
  ),
});

export const MergeConflict = named('MergeConflict', {
  path: Type.String(),
  kind: Type.Enum([...conflictKinds]),
  binary: Type.Boolean({ description: 'Whether a side is no text' }),
  base: nullable(ConflictSide),
  ours: nullable(ConflictSide),
  theirs: nullable(ConflictSide),
  merged: nullable(
    Type.String({ description: 'What git made of both, with its conflict markers; null where `content` would be' }),
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

/** The body of a 409 by a merge. One for another reason, such as an archived project, has no such details. */
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
        total: Type.Optional(Type.Integer({ description: 'Of conflicts; the first 1,000 are told' })),
      }),
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
