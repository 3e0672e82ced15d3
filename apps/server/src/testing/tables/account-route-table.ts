import { TOTP } from 'otpauth';
import { type Browser, signedInBrowser, testPassword } from '../clients/browser.ts';
import { createProject, onProject } from '../samples/sample-projects.ts';
import type { TestService, TestUser } from '../service/test-service.ts';

export type AccountCaller = { service: TestService; admin: TestUser; user: TestUser; browser: Browser };
export type AccountAsked = {
  path?: string;
  json?: unknown;
  /** Replaces the browser of the caller. */
  browser?: Browser;
  headers?: Record<string, string>;
};
type Ask = (caller: AccountCaller) => AccountAsked | Promise<AccountAsked>;

export type AccountRoute = {
  /** Who may call: anyone, a signed-in user, an administrator. */
  access: 'public' | 'session' | 'admin';
  success: [status: number, ask: Ask];
  refusals: Record<number, Ask>;
  /** Documented for all routes of its kind, but impossible here. */
  unreachable?: number[];
};

let made = 0;
const newEmail = (): string => `table${++made}@example.com`;
const password = 'a phrase for the table';
const unknownToken = { token: 'A'.repeat(43) };
const unknownUser = '/admin/users/usr_00000000000000000000000000';

/** Another user than the caller, for requests that end their session or change how they sign in. */
async function fresh({ service }: AccountCaller): Promise<{ user: TestUser; browser: Browser }> {
  const user = await service.createUser();
  return { user, browser: await signedInBrowser(service.url, user) };
}

async function withFactor(caller: AccountCaller): Promise<{ browser: Browser; code: string }> {
  const { browser } = await fresh(caller);
  const begun = await browser.ask<{ secret: string }>('POST', '/auth/second-factor', {
    json: { password: testPassword },
  });
  const totp = new TOTP({ secret: begun.body.secret });
  const json = { code: totp.generate({ timestamp: Date.now() - 30_000 }) };
  await browser.ask('POST', '/auth/second-factor/confirm', { json });
  return { browser, code: totp.generate() };
}

/** The token of a mailed link. */
async function tokenOf({ service }: AccountCaller, purpose: 'verify_email' | 'reset_password'): Promise<string> {
  const { issueToken } = await import('../../identity/accounts/account-tokens.sql.ts');
  const { id: userId } = await service.createUser();
  return (await service.db.transaction().execute((trx) => issueToken(trx, { userId, purpose, hours: 1 }))).token;
}

const noConflict = { unreachable: [401, 409] };
const other = { headers: { origin: 'https://evil.example' } };

/** Every route below /v1/auth and /v1/admin, with a request for each documented status. */
export const accountRouteTable: Record<string, AccountRoute> = {
  'GET /v1/auth/options': {
    access: 'public',
    success: [200, () => ({})],
    refusals: {},
    unreachable: [401, 403, 429, 503],
  },
  'POST /v1/auth/sign-up': {
    access: 'public',
    success: [201, () => ({ json: { email: newEmail(), name: 'New', password } })],
    refusals: {
      403: () => ({ json: { email: newEmail(), name: 'New', password }, ...other }),
      409: ({ user }) => ({ json: { email: user.email, name: 'New', password } }),
      422: () => ({ json: { email: newEmail(), name: 'New', password: 'password' } }),
    },
    unreachable: [401],
  },
  'POST /v1/auth/verify-email': {
    access: 'public',
    success: [200, async (caller) => ({ json: { token: await tokenOf(caller, 'verify_email') } })],
    refusals: { 403: () => ({ json: unknownToken, ...other }), 422: () => ({ json: unknownToken }) },
    ...noConflict,
  },
  'POST /v1/auth/verify-email/resend': {
    access: 'public',
    success: [202, () => ({ json: { email: newEmail() } })],
    refusals: { 403: () => ({ json: { email: newEmail() }, ...other }), 422: () => ({ json: { email: 'x' } }) },
    ...noConflict,
  },
  'POST /v1/auth/sign-in': {
    access: 'public',
    success: [200, ({ user }) => ({ json: { email: user.email, password: testPassword } })],
    refusals: {
      401: () => ({ json: { email: newEmail(), password } }),
      403: ({ user }) => ({ json: { email: user.email, password: testPassword }, ...other }),
      422: () => ({ json: { email: newEmail() } }),
    },
    unreachable: [409],
  },
  'POST /v1/auth/password/forgot': {
    access: 'public',
    success: [202, () => ({ json: { email: newEmail() } })],
    refusals: { 403: () => ({ json: { email: newEmail() }, ...other }), 422: () => ({ json: { email: 'x' } }) },
    ...noConflict,
  },
  'POST /v1/auth/password/reset': {
    access: 'public',
    success: [204, async (caller) => ({ json: { token: await tokenOf(caller, 'reset_password'), password } })],
    refusals: {
      403: () => ({ json: { ...unknownToken, password }, ...other }),
      422: () => ({ json: { ...unknownToken, password } }),
    },
    ...noConflict,
  },
  'POST /v1/auth/sign-out': {
    access: 'session',
    success: [204, async (caller) => ({ browser: (await fresh(caller)).browser })],
    refusals: {},
    unreachable: [409],
  },
  'GET /v1/auth/session': { access: 'session', success: [200, () => ({})], refusals: {} },
  'GET /v1/auth/sessions': { access: 'session', success: [200, () => ({})], refusals: {} },
  'DELETE /v1/auth/sessions': {
    access: 'session',
    success: [204, async (caller) => ({ browser: (await fresh(caller)).browser })],
    refusals: {},
    unreachable: [409],
  },
  'DELETE /v1/auth/sessions/{session_id}': {
    access: 'session',
    success: [
      204,
      async ({ service, user }) => ({
        path: `/auth/sessions/${(await signedInBrowser(service.url, user)).session.id}`,
      }),
    ],
    refusals: { 404: () => ({ path: '/auth/sessions/sgn_00000000000000000000000000' }) },
    unreachable: [409],
  },
  'POST /v1/auth/password': {
    access: 'session',
    success: [
      200,
      async (caller) => ({
        browser: (await fresh(caller)).browser,
        json: { current_password: testPassword, new_password: password },
      }),
    ],
    refusals: { 422: () => ({ json: { current_password: testPassword, new_password: 'password' } }) },
    unreachable: [409],
  },
  'POST /v1/auth/delete-account': {
    access: 'session',
    success: [200, async (caller) => ({ browser: (await fresh(caller)).browser, json: { password: testPassword } })],
    refusals: {
      409: async ({ service, admin }) => ({
        browser: await signedInBrowser(service.url, admin),
        json: { password: testPassword },
      }),
      422: () => ({ json: {} }),
    },
  },
  'GET /v1/auth/second-factor': { access: 'session', success: [200, () => ({})], refusals: {} },
  'POST /v1/auth/second-factor': {
    access: 'session',
    success: [201, async (caller) => ({ browser: (await fresh(caller)).browser, json: { password: testPassword } })],
    refusals: {
      409: async (caller) => {
        const { browser, code } = await withFactor(caller);
        return { browser, json: { password: testPassword, code } };
      },
      422: () => ({ json: {} }),
    },
  },
  'POST /v1/auth/second-factor/confirm': {
    access: 'session',
    success: [
      200,
      async (caller) => {
        const { browser } = await fresh(caller);
        const json = { password: testPassword };
        const begun = await browser.ask<{ secret: string }>('POST', '/auth/second-factor', { json });
        return { browser, json: { code: new TOTP({ secret: begun.body.secret }).generate() } };
      },
    ],
    refusals: { 409: () => ({ json: { code: '123456' } }), 422: () => ({ json: { code: 'abc' } }) },
  },
  'POST /v1/auth/second-factor/recovery-codes': {
    access: 'session',
    success: [
      201,
      async (caller) => {
        const { browser, code } = await withFactor(caller);
        return { browser, json: { password: testPassword, code } };
      },
    ],
    refusals: { 409: () => ({ json: { password: testPassword } }), 422: () => ({ json: {} }) },
  },
  'POST /v1/auth/second-factor/remove': {
    access: 'session',
    success: [
      204,
      async (caller) => {
        const { browser, code } = await withFactor(caller);
        return { browser, json: { password: testPassword, code } };
      },
    ],
    refusals: { 409: () => ({ json: { password: testPassword } }), 422: () => ({ json: {} }) },
  },
  'GET /v1/admin/users': { access: 'admin', success: [200, () => ({ path: '/admin/users?limit=1' })], refusals: {} },
  'POST /v1/admin/users': {
    access: 'admin',
    success: [201, () => ({ json: { email: newEmail(), name: 'Made by hand' } })],
    refusals: {
      409: ({ user }) => ({ json: { email: user.email, name: 'Again' } }),
      422: () => ({ json: { email: newEmail(), name: '' } }),
    },
  },
  'POST /v1/admin/users/{user_id}/reset-link': {
    access: 'admin',
    success: [201, ({ user }) => ({ path: `/admin/users/${user.id}/reset-link`, json: { password: testPassword } })],
    refusals: {
      404: () => ({ path: `${unknownUser}/reset-link`, json: { password: testPassword } }),
      409: async (caller) => {
        const { user } = await fresh(caller);
        await caller.service.db
          .updateTable('users')
          .set({ suspended_at: new Date() })
          .where('id', '=', user.id)
          .execute();
        return { path: `/admin/users/${user.id}/reset-link`, json: { password: testPassword } };
      },
      422: ({ user }) => ({ path: `/admin/users/${user.id}/reset-link`, json: {} }),
    },
  },
  'POST /v1/admin/users/{user_id}/second-factor/remove': {
    access: 'admin',
    success: [
      204,
      async (caller) => {
        const { browser } = await withFactor(caller);
        const path = `/admin/users/${browser.session.user.id}/second-factor/remove`;
        return { path, json: { password: testPassword } };
      },
    ],
    refusals: {
      404: () => ({ path: `${unknownUser}/second-factor/remove`, json: { password: testPassword } }),
      409: ({ user }) => ({
        path: `/admin/users/${user.id}/second-factor/remove`,
        json: { password: testPassword },
      }),
      422: ({ user }) => ({ path: `/admin/users/${user.id}/second-factor/remove`, json: {} }),
    },
  },
  'GET /v1/admin/users/{user_id}': {
    access: 'admin',
    success: [200, ({ user }) => ({ path: `/admin/users/${user.id}` })],
    refusals: { 404: () => ({ path: unknownUser }) },
  },
  'PATCH /v1/admin/users/{user_id}': {
    access: 'admin',
    success: [200, ({ user }) => ({ path: `/admin/users/${user.id}`, json: { subscription: { status: 'active' } } })],
    refusals: {
      404: () => ({ path: unknownUser, json: {} }),
      409: ({ admin }) => ({ path: `/admin/users/${admin.id}`, json: { suspended: true } }),
      422: ({ user }) => ({ path: `/admin/users/${user.id}`, json: { plan: 'gold' } }),
    },
  },
  'GET /v1/admin/projects': {
    access: 'admin',
    success: [200, () => ({ path: '/admin/projects?limit=1&status=deleted' })],
    refusals: {},
  },
  'POST /v1/admin/projects/{project_id}/restore': {
    access: 'admin',
    success: [
      200,
      async ({ service, user }) => {
        const { id } = await createProject(service, user);
        await onProject(service, user, id, ['DELETE']);
        return { path: `/admin/projects/${id}/restore` };
      },
    ],
    refusals: {
      404: () => ({ path: '/admin/projects/prj_00000000000000000000000000/restore' }),
      409: async ({ service, user }) => ({
        path: `/admin/projects/${(await createProject(service, user)).id}/restore`,
      }),
    },
  },
  'GET /v1/admin/plans': { access: 'admin', success: [200, () => ({})], refusals: {} },
  'GET /v1/admin/health': { access: 'admin', success: [200, () => ({})], refusals: {} },
  'GET /v1/admin/usage/history': {
    access: 'admin',
    success: [200, () => ({ path: '/admin/usage/history?days=2' })],
    refusals: {},
  },
  'GET /v1/admin/audit-log': {
    access: 'admin',
    success: [200, () => ({ path: '/admin/audit-log?limit=1' })],
    refusals: {},
  },
};
