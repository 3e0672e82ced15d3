import { reasonSentence } from '@bottega/contract';
import { AppError } from '../../foundation/http/index.ts';
import { compilePathPattern, matchesAny } from '../../foundation/text-search/path-patterns.ts';

/** The part of a project's row that says which branches change only by merge requests. */
type Protection = { protected_branches: readonly string[] };

/**
 * Whether one of the patterns matches this branch. The patterns are those of paths: `*` stands for text within a part,
 * and `**` for any parts.
 */
export const matchesBranch = (patterns: readonly string[], branch: string): boolean =>
  patterns.length > 0 && matchesAny(patterns.map(compilePathPattern), `/${branch}`);

export const isProtected = (project: Protection, branch: string): boolean => protectionOf(project)(branch);

/** Returns `isProtected` for many branches, with the patterns compiled only once. */
export function protectionOf({ protected_branches }: Protection): (branch: string) => boolean {
  const patterns = protected_branches.map(compilePathPattern);
  return (branch) => matchesAny(patterns, `/${branch}`);
}

export const protectedBranch = (branch: string): AppError =>
  new AppError('CONFLICT', reasonSentence('branch_protected', { branch }), {
    details: { reason: 'protected_branch', branch },
  });

/**
 * Throws if an existing branch must not be changed or deleted directly. This applies to everybody including the owner,
 * and to every way of writing: requests, pushes, live sessions and workspaces. The project's row must be locked,
 * because a rule may be added at any time.
 */
export function mustNotBeProtected(project: Protection, branch: string): void {
  if (isProtected(project, branch)) throw protectedBranch(branch);
}

/** Whether an error is the refusal of a protected branch. Repeating such a write in smaller parts would not help. */
export const isOfProtection = (error: AppError): boolean =>
  !Array.isArray(error.details) && error.details.reason === 'protected_branch';
