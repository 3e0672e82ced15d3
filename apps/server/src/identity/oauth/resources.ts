import type { Audience } from '../../foundation/http/index.ts';

/** What a token is for where its request named no resource: everything but `/mcp`. */
export const apiResource = 'urn:bottega:api';

/** RFC 8707: agents name the very address that they call. */
export const mcpResource = (publicUrl: string): string => `${publicUrl}/mcp`;

/** As stored with a token; those of the API may be older than the word for it. */
const apiAudience = 'bottega';

/** What the provider writes into a token for this resource. */
export const audienceFor = (resource: string): string => (resource === apiResource ? apiAudience : resource);

/** What a token's audience lets it call. Null where it was issued for an address that the service no longer has. */
export function audienceOf(stored: string | null, publicUrl: string): Audience | null {
  if (stored === null || stored === apiAudience) return 'api';
  return stored === mcpResource(publicUrl) ? 'mcp' : null;
}
