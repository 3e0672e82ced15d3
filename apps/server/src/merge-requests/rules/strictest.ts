import type { Queries } from '../../foundation/db/index.ts';
import { matchesBranch } from '../../projects/access/index.ts';
import { type Fields, listRules } from './rules.sql.ts';

/** What a branch requires. */
export type Rule = Fields;

/** The rule for branches to which no pattern applies. */
export const noRule: Rule = { approvals: 0, owners: false, checks: [], no_direct_push: false, check_minutes: 60 };

/** If several patterns apply, the strictest value of each field counts. */
export async function ruleOf(db: Queries, projectId: string, branch: string): Promise<Rule> {
  const applying = (await listRules(db, projectId)).filter(({ pattern }) => matchesBranch([pattern], branch));
  const [first, ...others] = applying;
  return first ? others.reduce<Rule>(strictest, first) : noRule;
}

const strictest = (one: Rule, other: Rule): Rule => ({
  approvals: Math.max(one.approvals, other.approvals),
  owners: one.owners || other.owners,
  checks: [...new Set([...one.checks, ...other.checks])],
  no_direct_push: one.no_direct_push || other.no_direct_push,
  check_minutes: Math.min(one.check_minutes, other.check_minutes),
});
