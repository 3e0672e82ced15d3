import { allScopes, type Scope } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { causeOf } from '../../foundation/http/index.ts';
import { addressKey, budgetKey, takeFromAll, tooMany } from '../rate-limits/index.ts';
import { recordDigest, userCodeDigest } from './adapter.ts';
import { findApp } from './apps.sql.ts';
import { deviceGrant } from './client-metadata.ts';
import { type DeviceInfo, giveConsent } from './consents.service.ts';
import { decideOnDevice, findWaitingDevice, noteAsking } from './device-codes.sql.ts';
import { deleteGrant } from './grants.sql.ts';
import { newGrant } from './provider.ts';
import { apiResource } from './resources.ts';

/** The request of a device, as it is shown to its user. */
export type AskingDevice = { code: string; appId: string; appName: string; scopes: Scope[]; device: DeviceInfo };

/**
 * A code has 34 bits. Every attempt to enter one, right or wrong, counts for the account and for the address of the
 * user. So nobody can guess a code in the ten minutes that it is valid.
 */
const windowSeconds = 900;
const maxPerAccount = 20;
const maxPerAddress = 100;

export async function findDevice(
  db: Db,
  { typed, userId, address }: { typed: string; userId: string; address: string },
): Promise<AskingDevice | null> {
  const exhausted = await transaction(db, (trx) =>
    takeFromAll(trx, [
      { key: budgetKey('device codes of account', userId), max: maxPerAccount, windowSeconds },
      { key: budgetKey('device codes from address', addressKey(address)), max: maxPerAddress, windowSeconds },
    ]),
  );
  if (exhausted) throw tooMany('attempts', exhausted);
  const code = normalized(typed);
  const found = await findWaitingDevice(db, userCodeDigest(code));
  if (!found) return null;
  const { clientId, params, deviceInfo: device } = found.payload;
  const names = (params.scope ?? '').split(' ');
  const app = await findApp(db, clientId);
  return {
    code: `${code.slice(0, 4)}-${code.slice(4)}`,
    appId: clientId,
    appName: app?.name ?? clientId,
    scopes: allScopes.filter((scope) => names.includes(scope)),
    device,
  };
}

/** Normalises a code to the stored form, because people type lower case, and with or without the dash. */
const normalized = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Allows a device. False if the code has expired, or if a decision was already made. */
export async function allowDevice(
  { db, provider }: { db: Db; provider: Provider },
  { asking, userId }: { asking: AskingDevice; userId: string },
  request: FastifyRequest,
): Promise<boolean> {
  const { appId, scopes, device, code } = asking;
  const consent = { userId, appId, scopes };
  await giveConsent(db, { consent, documented: null, device }, { ...causeOf(request), actorId: userId });
  const { jti: grantId } = await newGrant(provider, { userId, clientId: appId, scopes }, [apiResource]);
  const decision = { accountId: userId, grantId, scope: scopes.join(' '), resource: apiResource };
  if (await decideOnDevice(db, userCodeDigest(normalized(code)), { grantId, decision })) return true;
  await transaction(db, (trx) => deleteGrant(trx, grantId));
  return false;
}

export const refuseDevice = (db: Db, { code }: AskingDevice): Promise<boolean> =>
  decideOnDevice(db, userCodeDigest(normalized(code)), {
    grantId: null,
    decision: { error: 'access_denied', errorDescription: 'The user denied the request' },
  });

/**
 * RFC 8628, 3.5: by default, a device requests its tokens every five seconds. A slightly shorter interval is accepted.
 */
const apartSeconds = 4.5;

export async function asksTooSoon(db: Db, form: URLSearchParams): Promise<boolean> {
  const code = form.get('device_code');
  if (form.get('grant_type') !== deviceGrant || !code) return false;
  return noteAsking(db, recordDigest('DeviceCode', code), apartSeconds);
}
