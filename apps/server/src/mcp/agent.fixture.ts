import {
  Client,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import type { PageBrowser } from '../testing/clients/page-browser.ts';
import { authorize } from '../testing/samples/oauth-flow.ts';
import type { TestUser } from '../testing/service/test-service.ts';

/** The eras of the protocol, as modes of the official client. */
export const eras: [string, VersionNegotiationMode][] = [
  ['2025', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
];

type Agent = {
  client: Client;
  call(name: string, input?: Record<string, unknown>): Promise<Told>;
  close(): Promise<void>;
};
type Told = { text: string; isError: boolean; next: Record<string, unknown> | undefined };

/** An agent with a given key or token. */
export function agentWith(
  url: string,
  token: string,
  mode: VersionNegotiationMode = 'auto',
  fetch?: FetchLike,
): Promise<Agent> {
  return connect(url, { token: async () => token }, mode, fetch);
}

type Login = { browser: PageBrowser; user: Pick<TestUser, 'email'>; clientId: string };

/**
 * An agent that knows only the URL: discovery sends the user's browser to the consent page, and it returns with a code.
 */
export async function agentByDiscovery(url: string, login: Login, mode: VersionNegotiationMode = 'auto') {
  const { provider, known } = providerOf(login);
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode } });
  const refused = await client.connect(transport).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(refused instanceof UnauthorizedError)) throw refused ?? new Error('nobody was asked');
  const { back } = await authorize(login.browser, login.user, String(known.asked));
  await transport.finishAuth(back.searchParams);
  return { ...(await connect(url, provider, mode)), tokens: () => known.tokens, asked: new URL(String(known.asked)) };
}

export const redirectUri = 'http://127.0.0.1:7777/callback';

type Known = {
  discovered?: OAuthDiscoveryState;
  tokens?: StoredOAuthTokens;
  verifier?: string;
  asked?: URL;
};

function providerOf({ clientId }: Login) {
  const known: Known = {};
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'Tester', redirect_uris: [redirectUri] },
    clientInformation: (about) => ({ client_id: clientId, issuer: about?.issuer ?? '' }),
    saveDiscoveryState: (discovered) => void Object.assign(known, { discovered }),
    discoveryState: () => known.discovered,
    tokens: () => known.tokens,
    saveTokens: (tokens) => void Object.assign(known, { tokens }),
    redirectToAuthorization: (asked) => void Object.assign(known, { asked }),
    saveCodeVerifier: (verifier) => void Object.assign(known, { verifier }),
    codeVerifier: () => known.verifier ?? '',
  };
  return { provider, known };
}

type Authentication = ConstructorParameters<typeof StreamableHTTPClientTransport>[1] & object;

async function connect(
  url: string,
  authProvider: NonNullable<Authentication['authProvider']>,
  mode: VersionNegotiationMode,
  fetch?: FetchLike,
): Promise<Agent> {
  const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider, ...(fetch && { fetch }) }));
  return {
    client,
    async call(name, input = {}) {
      const { content, isError, _meta } = await client.callTool({ name, arguments: input });
      const [first] = content as { text: string }[];
      const next = _meta?.['bottega/next'] as Record<string, unknown> | undefined;
      return { text: first?.text ?? '', isError: isError === true, next };
    },
    close: () => client.close(),
  };
}

/** The data in a result with data of others. */
export const dataOf = ({ text }: Told): string => /<(data-[0-9a-f]{12})>\n([\s\S]*)\n<\/\1>$/.exec(text)?.[2] ?? text;
