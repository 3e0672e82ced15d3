import { invalid } from '../../foundation/http/index.ts';
import { isMain } from '../objects/ref-names.ts';
import type { Elsewhere } from './at-ref.service.ts';

/** Null for the head of main, which has its own rows. */
export function placeOf({ ref, branch }: { ref?: string | undefined; branch?: string | undefined }): Elsewhere | null {
  if (ref !== undefined && branch !== undefined) throw invalid('branch', 'cannot be combined with ref');
  if (ref !== undefined) return { ref };
  return branch === undefined || isMain({ branch }) ? null : { branch };
}
