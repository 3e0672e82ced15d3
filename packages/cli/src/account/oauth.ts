import { hostname } from 'node:os';
import { Failure } from '../terminal/failure.ts';
import { version } from '../version.ts';

/** The public client that every service knows. */
export const clientId = 'btg';

const patienceMs = 30_000;

export type Metadata = {
  token_endpoint: string;
  device_authorization_endpoint?: string;
  revocation_endpoint?: string;
  scopes_supported?: string[];
};

export type Tokens = { access_token: string; refresh_token?: string; expires_in?: number };

/** RFC 6749, 5.2. */
export type Refusal = { error: string; error_description?: string };

/** The endpoints that the service announces (RFC 8414). Each must be on the service itself. */
export async function discover(baseUrl: string, signal: AbortSignal): Promise<Metadata> {
  const answer = await send(`${baseUrl}/.well-known/oauth-authorization-server`, {}, signal);
  const metadata = await textOf(answer)
    .then((text) => JSON.parse(text) as Metadata | null)
    .catch(() => null);
  if (!answer.ok || typeof metadata?.token_endpoint !== 'string') {
    throw new Failure('unreachable', `${baseUrl} is not a Bottega service, or its version is too old.`);
  }
  for (const name of endpoints) mustBeAt(baseUrl, metadata[name]);
  return metadata;
}

const endpoints = ['token_endpoint', 'device_authorization_endpoint', 'revocation_endpoint'] as const;

/**
 * Throws if an endpoint is not on the service. Tokens must be sent only to the service that issued them, even if its
 * answers name other addresses.
 */
function mustBeAt(baseUrl: string, endpoint: unknown): void {
  if (endpoint === undefined) return;
  const origin = typeof endpoint === 'string' && URL.canParse(endpoint) ? new URL(endpoint).origin : 'no address';
  if (origin === new URL(baseUrl).origin) return;
  throw new Failure(
    'failed',
    `${baseUrl} redirects sign-ins to ${origin}. btg does not send tokens to another address.`,
    "Use the service's public address: btg login ADDRESS",
  );
}

/**
 * Posts a form for this client. A refusal is returned and not thrown, because its meaning depends on the request. The
 * answer of a busy service, or of a proxy without one, is not a refusal: it says nothing about the credential.
 */
export async function post<Body>(
  url: string,
  form: Record<string, string>,
  signal: AbortSignal,
): Promise<Body | Refusal> {
  const body = new URLSearchParams({ client_id: clientId, ...form });
  const answer = await send(url, { method: 'POST', body }, signal);
  const text = await textOf(answer);
  if (text === '' && answer.ok) return {} as Body;
  const told = parsed(text);
  const { ok, status } = answer;
  const isBusy = status === 429 || status >= 500;
  if (told !== undefined && !isBusy && (ok || isRefusal(told))) return told as Body | Refusal;
  const why = isRefusal(told) ? `: ${inWords(told)}` : ', which is not a sign-in response.';
  throw new Failure(status === 429 ? 'limited' : 'unreachable', `${url} responded with ${status}${why}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isRefusal = (body: unknown): body is Refusal => typeof (body as Refusal | null)?.error === 'string';

export const inWords = ({ error, error_description }: Refusal): string => error_description ?? error;

/** Largest answer, in bytes. The answers during a sign-in are small. */
const largest = 1024 * 1024;

async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > largest) throw new Failure('unreachable', `${answer.url} sends an endless response.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function send(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
  // The consent page shows the name of the client and its machine.
  const headers = { accept: 'application/json', 'user-agent': `btg/${version} (${hostname()})` };
  const ending = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  try {
    return await fetch(url, { ...init, headers, redirect: 'error', signal: ending });
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, cause } = error as Error & { cause?: Error };
    throw new Failure('unreachable', `No response from ${new URL(url).origin}: ${cause?.message || message}`);
  }
}
