import type { AuthorizedApp, Scope } from '@bottega/contract';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { type Cause, notFound } from '../../foundation/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { announceCredentialChange } from '../auth/index.ts';
import { type DocumentedApp, rememberDocumentedApp } from './apps.sql.ts';
import { isAppId } from './client-metadata.ts';
import * as rows from './consents.sql.ts';

/** The device that requests access, if the request comes from one. */
export type DeviceInfo = { device_address: string; device_agent: string };

export async function listAuthorizedApps(db: Db, userId: string): Promise<AuthorizedApp[]> {
  const consents = await rows.listConsents(db, userId);
  return consents.map(({ id, name, scopes, created_at, last_used_at }) => ({
    app: { id, name },
    scopes: scopes as Scope[],
    authorized_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }));
}

export async function revokeAuthorizedApp(
  db: Db,
  { userId, appId }: { userId: string; appId: string },
  cause: Cause,
): Promise<void> {
  if (!isAppId(appId)) throw notFound('App');
  await transaction(db, async (trx) => {
    if (!(await rows.deleteConsent(trx, userId, appId))) throw notFound('App');
    await announceCredentialChange(trx, userId);
    await recordAudit(trx, { action: 'oauth_grant.revoked', accountId: userId, subjectId: appId }, cause);
  });
}

type Given = {
  consent: rows.Consent;
  /** The document of an app that is not registered. */
  documented: DocumentedApp | null;
  device?: DeviceInfo;
};

/** Stores a consent permanently, so that the user is not asked again for the same scopes. */
export async function giveConsent(db: Db, { consent, documented, device }: Given, cause: Cause): Promise<void> {
  const { userId, appId, scopes } = consent;
  await transaction(db, async (trx) => {
    if (documented) await rememberDocumentedApp(trx, documented);
    await rows.rememberConsent(trx, consent);
    const entry = {
      action: 'oauth_grant.created',
      accountId: userId,
      subjectId: appId,
      details: { scopes, ...device },
    } as const;
    await recordAudit(trx, entry, cause);
  });
}
