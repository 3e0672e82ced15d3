import { Bottega, type Token } from '@bottega/sdk';
import { addressOf } from './account/address.ts';
import { type Config, readConfig } from './account/config-file.ts';
import { keptToken, notSignedIn } from './account/credential.ts';
import { findLink } from './project/link.ts';
import { Failure } from './terminal/failure.ts';
import type { Io } from './terminal/io.ts';
import { createOutput, type Output } from './terminal/output.ts';
import { version } from './version.ts';

/** Options of every command. */
export type GlobalOptions = { url?: string; token?: string; project?: string; json?: boolean; color?: boolean };

export type Context = { io: Io; output: Output; options: GlobalOptions };

export type Connection = {
  client: Bottega;
  baseUrl: string;
  /**
   * Where the credential comes from: `given` is the command line or the environment, and `kept` is the file of `btg
   * login`.
   */
  source: 'given' | 'kept';
  token(): Promise<string>;
  /** The project to which this folder is linked, if the link is for this service. */
  linkedProject: string | undefined;
};

export function contextOf(io: Io, options: GlobalOptions): Context {
  const output = createOutput(io, { isJson: options.json === true, noColour: options.color === false });
  return { io, output, options };
}

export async function connect({ io, options }: Context): Promise<Connection> {
  const [config, found] = await Promise.all([readConfig(io), findLink(io.cwd)]);
  const given = options.token || io.env.BOTTEGA_TOKEN;
  const named = options.url || io.env.BOTTEGA_URL;
  const baseUrl = named ? addressOf(named) : knownAddress(config, found?.link.url, given !== undefined);
  if (given === undefined && !Object.hasOwn(config.accounts, baseUrl)) throw notSignedIn(baseUrl);
  const token = given === undefined ? () => keptToken(io, baseUrl) : async () => given;
  return {
    client: clientOf(baseUrl, token),
    baseUrl,
    source: given === undefined ? 'kept' : 'given',
    token,
    linkedProject: found?.link.url === baseUrl ? found.link.project_id : undefined,
  };
}

/**
 * Creates a client that follows no redirects. A Bottega service never redirects to another host, and a malicious one
 * could make this machine send requests to others in its network.
 */
export const clientOf = (baseUrl: string, token: Token): Bottega =>
  new Bottega({
    ...{ baseUrl, token, userAgent: `btg/${version}` },
    fetch: (url, init) => fetch(url, { ...init, redirect: 'error' }),
  });

/**
 * Chooses the URL. The URL in a folder may have come with other people's files. So it is used only if the user has
 * signed in at that URL, and never with a token that was given for another one.
 */
function knownAddress(config: Config, linked: string | undefined, isTokenGiven: boolean): string {
  if (linked && !isTokenGiven && Object.hasOwn(config.accounts, linked)) return linked;
  if (config.current) return config.current;
  throw new Failure('notSignedIn', 'No service is selected.', 'Sign in with `btg login ADDRESS`, or set BOTTEGA_URL.');
}
