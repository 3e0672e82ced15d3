import { unauthenticated } from '../../foundation/http/index.ts';

/** For every kind of credential: whoever suspends an account has all nodes forget what they remember of it. */
export function mustNotBeSuspended({ suspended_at }: { suspended_at: Date | null }): void {
  if (suspended_at) throw unauthenticated('The account is suspended');
}
