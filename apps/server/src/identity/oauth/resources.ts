import type { Audience } from '../../foundation/http/index.ts';

/** The resource of a token if its request specified none: everything except `/mcp`. */
export const apiResource = 'urn:bottega:api';

/** RFC 8707: agents specify the address that they call. */
export const mcpResource = (publicUrl: string): string => `${publicUrl}/mcp`;

/**
 * Rewrites a form for the provider so that it contains the plain name of each resource. An agent specifies the whole
 * address (RFC 9728, 3.3), including parameters for the project and the access. These select tools, but do not affect
 * rights.
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

/** The audience that is stored with a token. Tokens for the API may be older than the name of its resource. */
const apiAudience = 'bottega';

/** The audience that the provider writes into a token for this resource. */
export const audienceFor = (resource: string): string => (resource === apiResource ? apiAudience : resource);

/** The audience of a token. Null if it was issued for an address that the service no longer has. */
export function audienceOf(stored: string | null, publicUrl: string): Audience | null {
  if (stored === null || stored === apiAudience) return 'api';
  return stored === mcpResource(publicUrl) ? 'mcp' : null;
}
