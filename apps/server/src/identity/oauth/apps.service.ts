import type { CreateOauthApp, NewOauthApp, OauthApp, PatchOauthApp } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, forbidden, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { recordAudit } from '../audit/index.ts';
import { announceCredentialChange } from '../auth/index.ts';
import { lockUser } from '../users/index.ts';
import * as rows from './apps.sql.ts';
import { newClientSecret, secretDigest, secretHint } from './client-secrets.ts';
import { checkRedirectUris } from './redirect-uris.ts';

const maxApps = 100;

/** The caller and the request. */
type Asked = { principal: Principal; cause: Cause };

export async function createApp(trx: Trx, asked: Asked, input: CreateOauthApp): Promise<NewOauthApp> {
  const { principal, cause } = asked;
  const { name, redirect_uris, type = 'confidential' } = input;
  await checkRedirectUris(redirect_uris, type);
  // The user is locked, so that concurrent requests cannot exceed the limit together.
  await lockUser(trx, principal.userId);
  if ((await rows.countApps(trx, principal.userId)) >= maxApps) {
    throw forbidden(`An account can have at most ${maxApps} apps`);
  }
  const app = await rows.insertApp(trx, { id: newId('app'), user_id: principal.userId, name, type, redirect_uris });
  const client_secret = type === 'confidential' ? await addSecret(trx, app.id) : null;
  await recordAudit(
    trx,
    { action: 'oauth_app.created', ...ofApp(app, asked), details: { name, redirect_uris } },
    cause,
  );
  return { ...(await asApp(trx, app)), client_secret };
}

export async function listApps(db: Db, principal: Principal): Promise<OauthApp[]> {
  return withSecrets(db, await rows.listApps(db, principal.userId));
}

export async function readApp(db: Db, principal: Principal, id: string): Promise<OauthApp> {
  const app = isId('app', id) ? await rows.findOwnApp(db, principal.userId, id) : undefined;
  if (!app) throw notFound('App');
  return asApp(db, app);
}

/**
 * Changes an app. The change applies to authorizations that begin later. Those that have already begun keep the old
 * values.
 */
export function changeApp(
  db: Db,
  asked: Asked,
  { id, change }: { id: string; change: PatchOauthApp },
): Promise<OauthApp> {
  const { principal, cause } = asked;
  return transaction(db, async (trx) => {
    const app = await lockApp(trx, principal, id);
    const { name, redirect_uris } = change;
    if (redirect_uris) await checkRedirectUris(redirect_uris, app.type);
    const details = { ...(name !== undefined && { name }), ...(redirect_uris && { redirect_uris }) };
    if (Object.keys(details).length === 0) return asApp(trx, app);
    await recordAudit(trx, { action: 'oauth_app.updated', ...ofApp(app, asked), details }, cause);
    return asApp(trx, await rows.updateApp(trx, app.id, details));
  });
}

/**
 * The account and the subject of an audit log entry. The caller is the app's owner, because everyone else was refused
 * before.
 */
const ofApp = (app: rows.AppRow, { principal }: Asked) => ({ accountId: principal.userId, subjectId: app.id });

export async function rotateSecret(
  trx: Trx,
  asked: Asked,
  { id, overlapSeconds }: { id: string; overlapSeconds: number },
): Promise<NewOauthApp> {
  const { principal, cause } = asked;
  const app = await lockApp(trx, principal, id);
  if (app.type === 'public') throw conflict('A public app has no secret');
  await rows.retireSecrets(trx, app.id, overlapSeconds);
  const client_secret = await addSecret(trx, app.id);
  await recordAudit(trx, { action: 'oauth_app.rotated', ...ofApp(app, asked) }, cause);
  return { ...(await asApp(trx, app)), client_secret };
}

/** All consents, grants and tokens of this app are deleted with it. */
export async function deleteApp(db: Db, asked: Asked, id: string): Promise<void> {
  const { principal, cause } = asked;
  await transaction(db, async (trx) => {
    const app = await lockApp(trx, principal, id);
    await rows.deleteApp(trx, app.id);
    await announceCredentialChange(trx);
    await recordAudit(trx, { action: 'oauth_app.deleted', ...ofApp(app, asked), details: { name: app.name } }, cause);
  });
}

async function lockApp(trx: Trx, principal: Principal, id: string): Promise<rows.AppRow> {
  const app = isId('app', id) ? await rows.lockOwnApp(trx, principal.userId, id) : undefined;
  if (!app) throw notFound('App');
  return app;
}

async function addSecret(trx: Trx, appId: string): Promise<string> {
  const secret = newClientSecret();
  await rows.insertSecret(trx, { app_id: appId, digest: secretDigest(secret), hint: secretHint(secret) });
  return secret;
}

async function asApp(db: Db | Trx, app: rows.AppRow): Promise<OauthApp> {
  const [view] = await withSecrets(db, [app]);
  return view as OauthApp;
}

async function withSecrets(db: Db | Trx, apps: rows.AppRow[]): Promise<OauthApp[]> {
  const secrets = await rows.liveSecrets(
    db,
    apps.map(({ id }) => id),
  );
  return apps.map((app) => ({
    id: app.id,
    client_id: app.id,
    name: app.name,
    type: app.type,
    redirect_uris: app.redirect_uris,
    secrets: secrets
      .filter(({ app_id }) => app_id === app.id)
      .map(({ hint, created_at, expires_at }) => ({
        hint,
        created_at: created_at.toISOString(),
        expires_at: expires_at?.toISOString() ?? null,
      })),
    created_at: app.created_at.toISOString(),
    updated_at: app.updated_at.toISOString(),
  }));
}
