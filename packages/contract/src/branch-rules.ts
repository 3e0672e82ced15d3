import { type Static, Type } from 'typebox';
import { checkName } from './checks.ts';
import { named, strict, Timestamp } from './primitives.ts';

const pattern = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\s\\p{Cc}~^:?\\[\\\\]+$',
  description:
    'A branch name. `*` stands for any characters within one part of the name, as in `release/*`, and `**` stands for any number of parts',
  examples: ['main'],
});

/** The fields as they are. A change must not have defaults, which would reset what it does not name. */
const fields = {
  approvals: Type.Integer({
    minimum: 0,
    maximum: 10,
    description: 'Number of approvals that a merge request needs from members who can edit the project',
  }),
  owners: Type.Boolean({
    description: 'Whether an owner of each changed file, as named in CODEOWNERS, must approve a merge request',
  }),
  checks: Type.Array(checkName, {
    maxItems: 50,
    uniqueItems: true,
    description:
      'Names of checks that must succeed. For a check in bottega.json, the definition on the target branch applies',
    examples: [['test']],
  }),
  no_direct_push: Type.Boolean({
    description:
      'Whether the branch changes only through merge requests, and not through pushes, writes or live editing',
  }),
  check_minutes: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    description:
      'Minutes to wait until another system completes its check. After that, the check counts as `timed_out`',
  }),
};

export const BranchRule = named('BranchRule', {
  id: Type.String({ examples: ['brl_01m7p9c8zke6f8r3t5v7x9y1b2'] }),
  project_id: Type.String(),
  pattern,
  ...fields,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type BranchRule = Static<typeof BranchRule>;
export const BranchRuleList = Type.Object({ data: Type.Array(BranchRule) });

const { approvals, owners, checks, no_direct_push, check_minutes } = fields;

export const CreateBranchRule = Type.Object(
  {
    pattern,
    approvals: Type.Optional(Type.Integer({ ...approvals, default: 0 })),
    owners: Type.Optional(Type.Boolean({ ...owners, default: false })),
    checks: Type.Optional(Type.Array(checkName, { ...checks, default: [] })),
    no_direct_push: Type.Optional(Type.Boolean({ ...no_direct_push, default: false })),
    check_minutes: Type.Optional(Type.Integer({ ...check_minutes, default: 60 })),
  },
  {
    additionalProperties: false,
    examples: [{ pattern: 'main', approvals: 1, checks: ['test'], no_direct_push: true }],
  },
);
export type CreateBranchRule = Static<typeof CreateBranchRule>;
export const ChangeBranchRule = strict({
  approvals: Type.Optional(approvals),
  owners: Type.Optional(owners),
  checks: Type.Optional(checks),
  no_direct_push: Type.Optional(no_direct_push),
  check_minutes: Type.Optional(check_minutes),
});
export type ChangeBranchRule = Static<typeof ChangeBranchRule>;
