import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../terminal/failure.ts';
import { inWords, isRefusal, type Metadata, post, type Refusal, type Tokens } from './oauth.ts';

/** RFC 8628, 3.2. */
export type DeviceCode = {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete?: string;
  /** Seconds. */
  expires_in: number;
  interval?: number;
};

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
/** The default interval of RFC 8628, and how many seconds are added after `slow_down`. */
const defaultInterval = 5;

export async function askForCode(metadata: Metadata, scope: string, signal: AbortSignal): Promise<DeviceCode> {
  const endpoint = metadata.device_authorization_endpoint;
  if (!endpoint) {
    throw new Failure(
      'failed',
      'This service does not support signing in from a command line.',
      'Use an API key: btg login --token.',
    );
  }
  const code = await post<DeviceCode>(endpoint, { scope }, signal);
  if (isRefusal(code)) throw new Failure('failed', `The sign-in was refused: ${inWords(code)}`);
  return code;
}

/** Polls until the user has allowed or denied access on the page, or the code has expired. */
export async function waitForTokens(metadata: Metadata, code: DeviceCode, signal: AbortSignal): Promise<Tokens> {
  const deadline = Date.now() + code.expires_in * 1000;
  let interval = code.interval ?? defaultInterval;
  while (Date.now() < deadline) {
    await sleep(interval * 1000, undefined, { signal });
    const answer = await askOnce(metadata, code, signal);
    // If the network is down or the service is busy, RFC 8628 requires slower polling.
    if (answer === 'away') interval *= 2;
    else if (!isRefusal(answer)) return answer;
    else if (answer.error === 'slow_down') interval += defaultInterval;
    else if (answer.error !== 'authorization_pending') throw endOf(answer);
  }
  throw endOf({ error: 'expired_token' });
}

async function askOnce(metadata: Metadata, { device_code }: DeviceCode, signal: AbortSignal) {
  try {
    return await post<Tokens>(metadata.token_endpoint, { grant_type: grantType, device_code }, signal);
  } catch (error) {
    if (error instanceof Failure && ['unreachable', 'limited'].includes(error.exit)) return 'away';
    throw error;
  }
}

function endOf(refusal: Refusal): Failure {
  if (refusal.error === 'access_denied')
    return new Failure('forbidden', 'You denied the request in the browser. You are not signed in.');
  if (refusal.error === 'expired_token') {
    return new Failure('failed', 'The code was not entered in time.', 'Run `btg login` again to get a new code.');
  }
  return new Failure('failed', `The sign-in failed: ${inWords(refusal)}`);
}
