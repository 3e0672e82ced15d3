import { Failure } from '../terminal/failure.ts';
import type { Io } from '../terminal/io.ts';
import { type Account, changeConfig, readConfig } from './config-file.ts';
import { discover, inWords, isRefusal, post, type Tokens } from './oauth.ts';

/** A token is renewed a little before it expires, so that it does not expire during a request. */
const marginMs = 60_000;

export const isFresh = (account: Account, now = Date.now()): boolean =>
  account.kind === 'token' || account.expires_at - marginMs > now;

export const tokenOf = (account: Account): string => (account.kind === 'token' ? account.token : account.access_token);

export function accountOf({ access_token, refresh_token = '', expires_in = 3600 }: Tokens): Account {
  return { kind: 'device', access_token, refresh_token, expires_at: Date.now() + expires_in * 1000 };
}

/** The stored token for a URL. It is renewed if necessary. */
export async function keptToken(io: Io, baseUrl: string): Promise<string> {
  const account = (await readConfig(io)).accounts[baseUrl];
  if (account && isFresh(account)) return tokenOf(account);
  return renew(io, baseUrl);
}

/**
 * Renews a token. A refresh token is valid once, and using it twice ends the session. So the renewal takes the lock,
 * and first checks whether another process has just renewed the token. Ctrl-C does not interrupt the renewal, because
 * the old token is invalid once the request is sent.
 */
async function renew(io: Io, baseUrl: string): Promise<string> {
  return changeConfig(io, async (config) => {
    const account = config.accounts[baseUrl];
    if (!account) throw notSignedIn(baseUrl);
    if (account.kind === 'token' || isFresh(account)) return { config, value: tokenOf(account) };
    const untilDone = new AbortController().signal;
    const { token_endpoint } = await discover(baseUrl, untilDone);
    const form = { grant_type: 'refresh_token', refresh_token: account.refresh_token };
    const tokens = await post<Tokens>(token_endpoint, form, untilDone);
    if (isRefusal(tokens)) throw signedOut(baseUrl, inWords(tokens));
    const renewed = accountOf({ refresh_token: account.refresh_token, ...tokens });
    return { config: { ...config, accounts: { ...config.accounts, [baseUrl]: renewed } }, value: tokenOf(renewed) };
  });
}

export const notSignedIn = (baseUrl: string): Failure =>
  new Failure('notSignedIn', `You are not signed in to ${baseUrl}.`, `Sign in with \`btg login ${baseUrl}\`.`);

const signedOut = (baseUrl: string, why: string): Failure =>
  new Failure('notSignedIn', `Your session at ${baseUrl} has ended: ${why}`, `Sign in with \`btg login ${baseUrl}\`.`);
