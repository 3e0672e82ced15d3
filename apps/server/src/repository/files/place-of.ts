import { invalid } from '../../foundation/http/index.ts';
import { isMain } from '../objects/ref-names.ts';
import type { Elsewhere } from './at-ref.service.ts';

/** The requested branch or ref. Null for the head of main, which has its own rows. */
export function placeOf({ ref, branch }: { ref?: string | undefined; branch?: string | undefined }): Elsewhere | null {
  if (ref !== undefined && branch !== undefined) throw invalid('branch', 'cannot be combined with ref');
  if (ref !== undefined) return { ref };
  return branch === undefined || isMain({ branch }) ? null : { branch };
}

export type OnBranch = { branch?: string | undefined; create_branch_from?: string | undefined };

/** The branch that a write specifies. */
export function writtenBranch({ branch, create_branch_from: createBranchFrom }: OnBranch) {
  if (createBranchFrom !== undefined && branch === undefined)
    throw invalid('branch', 'is required with create_branch_from');
  return { branch, createBranchFrom };
}
