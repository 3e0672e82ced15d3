import type { ClientMetadata } from 'oidc-provider';
import type { AppRow } from './apps.sql.ts';
import { isNative } from './redirect-uris.ts';

/** An app as the provider sees it. */
export function clientMetadata(app: Pick<AppRow, 'id' | 'name' | 'type' | 'redirect_uris'>): ClientMetadata {
  return {
    client_id: app.id,
    client_name: app.name,
    redirect_uris: app.redirect_uris,
    application_type: isNative(app) ? 'native' : 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // The provider takes a secret from the form or by Basic, whichever of the two is named here.
    ...(app.type === 'public'
      ? { token_endpoint_auth_method: 'none' as const }
      : { token_endpoint_auth_method: 'client_secret_post' as const, client_secret: neverCompared }),
  };
}

/** The provider asks for one in its metadata; what a client sends is compared with the stored digests instead. */
const neverCompared = 'the secret is compared by its digest';
