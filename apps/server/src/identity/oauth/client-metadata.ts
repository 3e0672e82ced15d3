import type { ClientMetadata } from 'oidc-provider';
import { isId } from '../../foundation/ids.ts';
import type { AppRow } from './apps.sql.ts';
import { isNative } from './redirect-uris.ts';

/** The service's own command line. */
const ownApp = 'btg';

export const isAppId = (id: string): boolean => isId('app', id) || id === ownApp;

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** An app in the form that the provider needs. */
export function clientMetadata(app: Pick<AppRow, 'id' | 'name' | 'type' | 'redirect_uris'>): ClientMetadata {
  if (app.id === ownApp) return ofDevices(app);
  return {
    client_id: app.id,
    client_name: app.name,
    redirect_uris: app.redirect_uris,
    application_type: isNative(app) ? 'native' : 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // The provider accepts a secret both from the form and through Basic, whichever of the two is named here.
    ...(app.type === 'public'
      ? { token_endpoint_auth_method: 'none' as const }
      : { token_endpoint_auth_method: 'client_secret_post' as const, client_secret: neverCompared }),
  };
}

/** The metadata of an app for devices. Such an app has no address to which a browser could be sent back. */
const ofDevices = ({ id, name }: Pick<AppRow, 'id' | 'name'>): ClientMetadata => ({
  client_id: id,
  client_name: name,
  application_type: 'native',
  redirect_uris: [],
  response_types: [],
  grant_types: [deviceGrant, 'refresh_token'],
  token_endpoint_auth_method: 'none',
});

/**
 * The provider requires a secret in the metadata, but never compares it. The secret that a client sends is compared
 * with a digest.
 */
const neverCompared = 'the secret is compared by its digest';
