import { createHash } from 'node:crypto';
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { isId } from '../../foundation/ids.ts';
import { announceCredentialChange } from '../auth/index.ts';
import { findApp } from './apps.sql.ts';
import { appIdOf, type ClientDocuments } from './client-documents.ts';
import { clientMetadata, isAppId } from './client-metadata.ts';
import type { EndedFamily } from './family-ended.ts';
import * as grants from './grants.sql.ts';
import * as records from './records.sql.ts';
import { apiResource } from './resources.ts';
import { orUnavailable } from './unavailable.ts';

export type AdapterParts = {
  db: Db;
  /**
   * The resources for which tokens can be issued. A consent to a scope applies to all of them, but each token is for
   * only one.
   */
  resources(): readonly string[];
  /** Apps that are not registered. Null if there are none. */
  documents: ClientDocuments | null;
  /** Called in the transaction that has ended a grant and everything that was issued under it. */
  familyEnded(trx: Trx, family: EndedFamily): Promise<void>;
};

const operations = ['upsert', 'find', 'findByUid', 'findByUserCode', 'consume', 'destroy', 'revokeByGrantId'] as const;

/** The storage of the provider. Apps and grants have their own tables, and everything else is stored as records. */
export function oauthAdapter(parts: AdapterParts): AdapterFactory {
  return (model) => {
    const kept = ownTable.get(model)?.(parts) ?? recordsOf(parts, model);
    const calls = operations.map((name) => {
      const run = kept[name] as ((...all: unknown[]) => Promise<unknown>) | undefined;
      return [name, async (...all: unknown[]) => (run ? orUnavailable(run(...all)) : undefined)];
    });
    return Object.fromEntries(calls) as Adapter;
  };
}

const clients = ({ db, documents }: AdapterParts): Partial<Adapter> => ({
  async find(id) {
    const app = isAppId(id) ? await findApp(db, id) : await documents?.find(id);
    return app && clientMetadata(app);
  },
});

const grantsOf = (parts: AdapterParts): Partial<Adapter> => ({
  async upsert(id, payload, expiresInSeconds = 0) {
    const { accountId = '', clientId = '', resources } = payload as GrantPayload;
    const scopes = resources?.[apiResource]?.split(' ') ?? [];
    const grant = { id, userId: accountId, appId: appIdOf(clientId), scopes, expiresInSeconds };
    if (!(await grants.insertGrant(parts.db, grant))) throw new errors.AccessDenied('the consent was revoked');
  },
  async find(id) {
    const grant = isId('grt', id) ? await grants.findGrant(parts.db, id) : undefined;
    if (!grant) return undefined;
    const payload: GrantPayload = {
      jti: grant.id,
      kind: 'Grant',
      accountId: grant.user_id,
      clientId: grant.client_id,
      resources: Object.fromEntries(parts.resources().map((resource) => [resource, grant.scopes.join(' ')])),
      iat: Math.floor(grant.created_at.getTime() / 1000),
      exp: Math.floor(grant.expires_at.getTime() / 1000),
    };
    return payload;
  },
  destroy: (id) => endFamily(parts, id),
});

const ownTable = new Map([
  ['Client', clients],
  ['Grant', grantsOf],
]);

type GrantPayload = AdapterPayload & { resources?: Record<string, string> };

/**
 * Ends a grant and everything that was issued under it. If several requests do this at the same time, only the one that
 * deletes the grant reports it.
 */
async function endFamily({ db, familyEnded }: AdapterParts, grantId: string): Promise<void> {
  await transaction(db, async (trx) => {
    const family = await grants.deleteGrant(trx, grantId);
    await records.deleteRecordsOfGrant(trx, grantId);
    if (!family) return;
    await announceCredentialChange(trx);
    await familyEnded(trx, family);
  });
}

function recordsOf(parts: AdapterParts, model: string): Partial<Adapter> {
  const { db } = parts;
  return {
    async upsert(id, payload, expiresInSeconds = 0) {
      const save = model === 'AccessToken' ? records.saveAccessToken : records.saveRecord;
      await save(db, {
        digest: recordDigest(model, id),
        model,
        grantId: payload.grantId ?? null,
        payload: withoutIds(payload, id),
        expiresInSeconds,
        userCode: payload.userCode === undefined ? null : userCodeDigest(payload.userCode),
      });
    },
    async find(id) {
      // An expired device code is found too, so that the device learns that it has expired.
      const row = await records.findRecord(db, recordDigest(model, id), model === 'DeviceCode');
      return row && { ...withIds(row.payload, id), ...(row.consumed_at && { consumed: true }) };
    },
    // The result lacks the session's own id, which only its cookie contains. The callers do not need it, because they
    // only compare accounts.
    async findByUid(uid) {
      return (await records.findSessionByUid(db, uid))?.payload;
    },
    /** Uses up a record. If two requests both found it unused, the second one counts as a reuse and ends the family. */
    async consume(id) {
      const digest = recordDigest(model, id);
      if (await records.consumeRecord(db, digest)) return;
      const grantId = await records.grantOfRecord(db, digest);
      if (grantId) await endFamily(parts, grantId);
      throw new errors.InvalidGrant('already used');
    },
    async destroy(id) {
      await records.deleteRecord(db, recordDigest(model, id));
    },
    revokeByGrantId: (grantId) => records.deleteRecordsOfGrant(db, grantId),
  };
}

/**
 * The digest of a record's id. Codes, tokens and ids in cookies are credentials, so only digests are stored. All have
 * 126 random bits or more.
 */
export const recordDigest = (model: string, id: string): Buffer =>
  createHash('sha256').update(`${model} ${id}`).digest();

/**
 * The digest of a user code. The code is short, because people type it. Budgets and its short lifetime protect it from
 * guessing.
 */
export const userCodeDigest = (code: string): Buffer => recordDigest('UserCode', code);

/**
 * Removes ids from a payload before it is stored, because ids are credentials. The payload of an interaction contains
 * its id a second time, at the end of `returnTo`, and also the id of its session.
 */
function withoutIds(
  { jti: _id, userCode: _code, returnTo, session, ...payload }: AdapterPayload,
  id: string,
): Record<string, unknown> {
  const { cookie: _cookie, ...rest } = session ?? {};
  return {
    ...payload,
    ...(returnTo && { returnTo: returnTo.slice(0, -id.length) }),
    ...(session && { session: rest }),
  };
}

function withIds(payload: AdapterPayload, id: string): AdapterPayload {
  return { ...payload, jti: id, ...(payload.returnTo && { returnTo: payload.returnTo + id }) };
}
