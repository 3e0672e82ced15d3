import type { Audience } from '../../foundation/http/index.ts';

/** What a token is for where its request named no resource: everything but `/mcp`. */
export const apiResource = 'urn:bottega:api';

/** RFC 8707: agents name the very address that they call. */
export const mcpResource = (publicUrl: string): string => `${publicUrl}/mcp`;

/**
 * What is sent to the provider, with the plain name of each resource. An agent names the whole address that it was given (RFC 9728, 3.3),
 * with what that says of project and access: which tools it shows there, and not who may use it.
 */
export function withPlainResources(form: string, publicUrl: string): string {
  const named = new URLSearchParams(form).getAll('resource');
  const plain = named.map((one) => (one.startsWith(`${mcpResource(publicUrl)}?`) ? mcpResource(publicUrl) : one));
  if (plain.every((one, index) => one === named[index])) return form;
  const parameters = new URLSearchParams(form);
  parameters.delete('resource');
  for (const one of new Set(plain)) parameters.append('resource', one);
  return parameters.toString();
}

/** As stored with a token; those of the API may be older than the word for it. */
const apiAudience = 'bottega';

/** What the provider writes into a token for this resource. */
export const audienceFor = (resource: string): string => (resource === apiResource ? apiAudience : resource);

/** What a token's audience lets it call. Null where it was issued for an address that the service no longer has. */
export function audienceOf(stored: string | null, publicUrl: string): Audience | null {
  if (stored === null || stored === apiAudience) return 'api';
  return stored === mcpResource(publicUrl) ? 'mcp' : null;
}
