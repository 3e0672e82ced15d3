import { randomBytes } from 'node:crypto';
import type { NewService, Service } from '@bottega/contract';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, causeOfRun, forbidden, notFound, outlives, type Principal } from '../../foundation/http/index.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { recordAudit } from '../audit/index.ts';
import { holdCredential } from './all-credentials.sql.ts';
import { randomBase62 } from './api-key-format.ts';
import { announceCredentialChange } from './credential-changes.ts';
import * as rows from './services.sql.ts';

/** A service signs JWTs with every scope of its user, so only an unrestricted credential may create one. */
function mustBeUnrestricted(principal: Principal): void {
  if (principal.scopes.length > 0)
    throw forbidden('Managing services requires a credential whose scopes are not restricted');
  if (outlives(null, principal))
    throw forbidden('A credential that expires cannot create a service, because services never expire');
}

export async function createService(
  trx: Trx,
  box: SecretBox,
  principal: Principal,
  { issuer, cause }: { issuer: string; cause: Cause },
): Promise<NewService> {
  mustBeUnrestricted(principal);
  await holdCredential(trx, principal);
  return registerService(trx, box, { userId: principal.userId, issuer }, cause);
}

/** Registers a service for an operator. There is no caller whose rights could be checked. */
export async function registerService(
  trx: Trx,
  box: SecretBox,
  { userId, issuer }: { userId: string; issuer: string },
  cause: Cause = causeOfRun(null),
): Promise<NewService> {
  const service = await rows.insertService(trx, { id: newId('svc'), user_id: userId, issuer });
  const entry = { accountId: userId, subjectId: service.id, details: { issuer } };
  await recordAudit(trx, { action: 'service.created', ...entry }, cause);
  const secret = await addKey(trx, box, service.id);
  await announceCredentialChange(trx, userId);
  return { ...(await withKeys(trx, [service]))[0], ...secret } as NewService;
}

export async function listServices(db: Db, principal: Principal): Promise<Service[]> {
  return withKeys(db, await rows.listServices(db, principal.userId));
}

export async function rotateService(
  trx: Trx,
  box: SecretBox,
  principal: Principal,
  change: { id: string; overlapSeconds: number; cause: Cause },
): Promise<NewService> {
  mustBeUnrestricted(principal);
  const service = isId('svc', change.id) ? await rows.lockService(trx, principal.userId, change.id) : undefined;
  if (!service) throw notFound('Service');
  await rows.retireServiceKeys(trx, service.id, change.overlapSeconds);
  const secret = await addKey(trx, box, service.id);
  const entry = { accountId: principal.userId, subjectId: service.id, details: { kid: secret.kid } };
  await recordAudit(trx, { action: 'service.rotated', ...entry }, change.cause);
  await announceCredentialChange(trx, principal.userId);
  return { ...(await withKeys(trx, [service]))[0], ...secret } as NewService;
}

export async function deleteService(db: Db, { userId }: Principal, id: string, cause: Cause): Promise<void> {
  if (!isId('svc', id)) throw notFound('Service');
  await transaction(db, async (trx) => {
    if (!(await rows.deleteService(trx, userId, id))) throw notFound('Service');
    await recordAudit(trx, { action: 'service.deleted', accountId: userId, subjectId: id }, cause);
    await announceCredentialChange(trx, userId);
  });
}

/** Adds a key. The text is used as the key without decoding it: its 43 bytes contain 256 random bits. */
async function addKey(trx: Trx, box: SecretBox, serviceId: string): Promise<{ kid: string; secret: string }> {
  const kid = randomBase62(12);
  const secret = randomBytes(32).toString('base64url');
  await rows.insertServiceKey(trx, { service_id: serviceId, kid, secret_encrypted: box.seal(secret) });
  return { kid, secret };
}

async function withKeys(db: Db | Trx, services: rows.ServiceRow[]): Promise<Service[]> {
  const keys = await rows.liveServiceKeys(
    db,
    services.map((service) => service.id),
  );
  return services.map((service) => ({
    id: service.id,
    issuer: service.issuer,
    user_id: service.user_id,
    created_at: service.created_at.toISOString(),
    keys: keys
      .filter((key) => key.service_id === service.id)
      .map((key) => ({
        kid: key.kid,
        created_at: key.created_at.toISOString(),
        expires_at: key.expires_at?.toISOString() ?? null,
      })),
  }));
}
