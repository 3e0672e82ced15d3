import { errors } from 'oidc-provider';
import { isDatabaseAway } from '../../foundation/db/index.ts';

/** A page or a JSON error with status 503. It is never a redirect, because the app could do nothing with it. */
class Unavailable extends errors.OIDCProviderError {
  constructor() {
    super(503, 'temporarily_unavailable');
    this.expose = true;
    this.allow_redirect = false;
    this.error_description = 'The service is temporarily unavailable; try again in a moment';
  }
}

/**
 * Wraps everything that the provider calls, because it handles only its own errors and would return 500 for all others.
 */
export async function orUnavailable<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw isDatabaseAway(error) ? new Unavailable() : error;
  }
}
