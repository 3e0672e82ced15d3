import { callback, issueAccessToken, registerApp } from '../samples/oauth-tokens.ts';
import type { Caller, Route } from './documented-route.ts';
import { whileRunning } from './while-running.ts';

const unknown = '/user/oauth-apps/app_00000000000000000000000000';
const app = async ({ service, user }: Caller) => `/user/oauth-apps/${(await registerApp(service, user)).id}`;
const newApp = { name: 'App', redirect_uris: [callback] };

async function authorized({ service, user }: Caller): Promise<string> {
  return `/user/authorized-apps/${(await issueAccessToken(service, user.id, ['read:user'])).appId}`;
}

/** Every route of OAuth apps below /v1. */
export const oauthRouteTable: Record<string, Route> = {
  'GET /v1/user/oauth-apps': { scope: 'read:user', success: [200, () => ({})] },
  'POST /v1/user/oauth-apps': {
    scope: 'write:user',
    notForApps: true,
    success: [201, () => ({ json: newApp })],
    refusals: {
      409: (caller) => whileRunning(caller, 'oauth_apps', { path: '/user/oauth-apps', json: newApp }),
      422: () => ({ json: { ...newApp, redirect_uris: ['http://app.example.com/'] } }),
    },
  },
  'GET /v1/user/oauth-apps/{app_id}': {
    scope: 'read:user',
    success: [200, async (caller) => ({ path: await app(caller) })],
    refusals: { 404: () => ({ path: unknown }) },
  },
  'PATCH /v1/user/oauth-apps/{app_id}': {
    scope: 'write:user',
    notForApps: true,
    success: [200, async (caller) => ({ path: await app(caller), json: { name: 'Other' } })],
    refusals: {
      404: () => ({ path: unknown, json: {} }),
      422: async (caller) => ({ path: await app(caller), json: { redirect_uris: [] } }),
    },
    unreachable: [409],
  },
  'POST /v1/user/oauth-apps/{app_id}/rotate': {
    scope: 'write:user',
    notForApps: true,
    success: [201, async (caller) => ({ path: `${await app(caller)}/rotate`, json: {} })],
    refusals: {
      404: () => ({ path: `${unknown}/rotate`, json: {} }),
      409: async ({ service, user }) => {
        const { id } = await registerApp(service, user, { type: 'public' });
        return { path: `/user/oauth-apps/${id}/rotate`, json: {} };
      },
      422: async (caller) => ({ path: `${await app(caller)}/rotate`, json: { overlap_seconds: -1 } }),
    },
  },
  'DELETE /v1/user/oauth-apps/{app_id}': {
    scope: 'write:user',
    notForApps: true,
    success: [204, async (caller) => ({ path: await app(caller) })],
    refusals: { 404: () => ({ path: unknown }) },
    unreachable: [409],
  },
  'GET /v1/user/authorized-apps': { scope: 'read:user', success: [200, () => ({})] },
  'DELETE /v1/user/authorized-apps/{app_id}': {
    scope: 'write:user',
    notForApps: true,
    success: [204, async (caller) => ({ path: await authorized(caller) })],
    refusals: { 404: () => ({ path: unknown.replace('oauth-apps', 'authorized-apps') }) },
    unreachable: [409],
  },
};
