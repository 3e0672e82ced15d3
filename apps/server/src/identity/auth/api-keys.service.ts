import { type ApiKey, type CreateApiKey, type NewApiKey, type Scope, scopesWithin } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import {
  type Cause,
  causeOfRun,
  endOf,
  forbidden,
  invalid,
  notFound,
  outlives,
  type Principal,
} from '../../foundation/http/index.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { recordAudit } from '../audit/index.ts';
import { holdCredential } from './all-credentials.sql.ts';
import { apiKeyDigest, apiKeyHint, newApiKey } from './api-key-format.ts';
import * as rows from './api-keys.sql.ts';
import { announceCredentialChange } from './credential-changes.ts';

type NewKey = { userId: string; name: string; scopes: Scope[]; expiresAt: Date | null };

/** Creates a key for an operator. There is no caller whose rights could be checked. */
export async function issueApiKey(trx: Trx, key: NewKey, cause: Cause = causeOfRun(null)): Promise<NewApiKey> {
  const made = await addKey(trx, key);
  const details = { name: key.name, scopes: key.scopes };
  await recordAudit(trx, { action: 'api_key.created', accountId: key.userId, subjectId: made.id, details }, cause);
  return made;
}

async function addKey(trx: Trx, { userId, name, scopes, expiresAt }: NewKey): Promise<NewApiKey> {
  const key = newApiKey();
  const row = await rows.insertApiKey(trx, {
    id: newId('key'),
    user_id: userId,
    name,
    hint: apiKeyHint(key),
    digest: apiKeyDigest(key),
    scopes,
    expires_at: expiresAt,
  });
  return { ...asApiKey(row), key };
}

/** Creates a key. It cannot have more scopes or a later expiry than the credential of the caller. */
export async function createApiKey(
  trx: Trx,
  principal: Principal,
  input: CreateApiKey,
  cause: Cause,
): Promise<NewApiKey> {
  await holdCredential(trx, principal);
  const expiresAt = input.expires_at ? new Date(input.expires_at) : defaultExpiry(principal, input);
  if (expiresAt) apiKeyChecks.expires_at(expiresAt.toISOString());
  const scopes = input.scopes ?? [...principal.scopes];
  if (!scopesWithin(scopes, principal.scopes)) {
    throw forbidden('A key cannot have more scopes than the credential that creates it');
  }
  mustNotOutlive(principal, expiresAt);
  return issueApiKey(trx, { userId: principal.userId, name: input.name, scopes, expiresAt }, cause);
}

export const apiKeyChecks = {
  expires_at(time: string): void {
    if (!(Date.parse(time) > Date.now())) throw invalid('expires_at', 'must be in the future');
  },
};

/**
 * The expiry of a key that specifies none. If the caller uses a JWT, which ends within the hour, the new key ends with
 * it. If the caller uses an API key that expires, the request must specify an expiry: the holder may have forgotten
 * that their own key expires, and would expect the new one to last.
 */
const defaultExpiry = (principal: Principal, { expires_at: given }: CreateApiKey): Date | null =>
  given === undefined && principal.credential.kind === 'service' ? endOf(principal) : null;

function mustNotOutlive(principal: Principal, expiresAt: Date | null): void {
  if (outlives(expiresAt, principal)) {
    const latest = endOf(principal)?.toISOString();
    throw forbidden(`A key cannot outlive the credential that creates it: expires_at must be no later than ${latest}`);
  }
}

export async function listApiKeys(db: Db, principal: Principal): Promise<ApiKey[]> {
  return (await rows.listApiKeys(db, principal.userId)).map(asApiKey);
}

/** Replaces a key with a new one that has the same name, scopes and expiry. The old key stays valid for the overlap. */
export async function rotateApiKey(
  trx: Trx,
  principal: Principal,
  { id, overlapSeconds }: { id: string; overlapSeconds: number },
  cause: Cause,
): Promise<NewApiKey> {
  await holdCredential(trx, principal);
  const former = isId('key', id) ? await rows.lockApiKey(trx, principal.userId, id) : undefined;
  if (!former) throw notFound('API key');
  if (!scopesWithin(former.scopes, principal.scopes)) {
    throw forbidden('A key cannot rotate another key that has more scopes');
  }
  mustNotOutlive(principal, former.expires_at);
  await rows.expireApiKey(trx, id, overlapSeconds);
  await announceCredentialChange(trx, principal.userId);
  const { name, scopes, expires_at: expiresAt } = former;
  const made = await addKey(trx, { userId: principal.userId, name, scopes, expiresAt });
  const details = { replaced_by: made.id };
  await recordAudit(trx, { action: 'api_key.rotated', accountId: principal.userId, subjectId: id, details }, cause);
  return made;
}

export async function revokeApiKey(db: Db, { userId }: Principal, id: string, cause: Cause): Promise<void> {
  if (!isId('key', id)) throw notFound('API key');
  await transaction(db, async (trx) => {
    if (!(await rows.deleteApiKey(trx, userId, id))) throw notFound('API key');
    await recordAudit(trx, { action: 'api_key.revoked', accountId: userId, subjectId: id }, cause);
    await announceCredentialChange(trx, userId);
  });
}

function asApiKey(row: rows.ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
