import { unauthenticated } from '../../foundation/http/index.ts';

/**
 * Throws if the account is suspended, whatever the kind of credential. A suspension makes all nodes drop what they have
 * cached about the account.
 */
export function mustNotBeSuspended({ suspended_at }: { suspended_at: Date | null }): void {
  if (suspended_at) throw unauthenticated('The account is suspended');
}
