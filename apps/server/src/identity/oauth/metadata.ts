import { allScopes } from '@bottega/contract';
import { deviceGrant } from './client-metadata.ts';

const clientAuthentication = ['client_secret_post', 'client_secret_basic'];

/**
 * The metadata document by which clients find the endpoints (RFC 8414). It replaces the provider's own document, which
 * is for OpenID and promises ID tokens.
 */
export function serverMetadata(
  issuer: string,
  { takesDocuments }: { takesDocuments: boolean },
): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    device_authorization_endpoint: `${issuer}/oauth/device`,
    scopes_supported: allScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', deviceGrant],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    revocation_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    introspection_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: takesDocuments,
    service_documentation: `${issuer}/docs/`,
  };
}
