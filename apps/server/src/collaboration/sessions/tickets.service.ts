import { createHash, randomBytes } from 'node:crypto';
import type { Scope, SocketTicket } from '@bottega/contract';
import type { Db, Trx } from '../../foundation/db/index.ts';
import { type Credential, type Principal, unauthenticated } from '../../foundation/http/index.ts';
import { mustNotBeRemoved } from './sessions.policy.ts';
import { mustFindOpen } from './sessions.service.ts';
import { insertTicket, useTicket } from './tickets.sql.ts';

const lifeSeconds = 60;

/**
 * Issues a ticket for a browser's WebSocket, which cannot send a header. URLs end up in logs, so the ticket expires
 * soon.
 */
export async function issueTicket(
  trx: Trx,
  { userId, scopes, credential }: Principal,
  sessionId: string,
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = randomBytes(32).toString('base64url');
  const { kind, id, part = null, expiresAt: ends } = credential;
  const stored = { kind, id, part, expires_at: ends?.toISOString() ?? null };
  const row = { digest: digestOf(ticket), sessionId, userId, credential: stored, scopes: [...scopes] };
  return { ticket, expiresAt: await insertTicket(trx, row, lifeSeconds) };
}

export async function newTicket(
  trx: Trx,
  principal: Principal,
  sessionId: string,
  publicUrl: string,
): Promise<SocketTicket> {
  mustNotBeRemoved(await mustFindOpen(trx, sessionId, principal.userId), principal.userId);
  const { ticket, expiresAt } = await issueTicket(trx, principal, sessionId);
  return { ticket, ws_url: wsUrlOf(publicUrl, sessionId, ticket), expires_at: expiresAt.toISOString() };
}

export type CredentialsHold = (credentials: Credential[]) => Promise<boolean[]>;

/** Identifies the caller as the user of the ticket, if the credential that created the ticket is still valid. */
export async function redeemTicket(
  { db, credentialsHold }: { db: Db; credentialsHold: CredentialsHold },
  ticket: string,
  sessionId: string,
): Promise<Principal> {
  const used = /^[\w-]{43}$/.test(ticket) ? await useTicket(db, digestOf(ticket), sessionId) : undefined;
  if (!used)
    throw unauthenticated(
      'The ticket is not valid; a ticket works once, within a minute, and only for the session that it was created for',
    );
  const { kind, id, part, expires_at: ends } = used.credential;
  const credential: Credential = { kind, id, ...(part !== null && { part }), expiresAt: ends ? new Date(ends) : null };
  const [holds] = await credentialsHold([credential]);
  if (!holds || used.suspended_at) throw unauthenticated('The credential that created the ticket is no longer valid');
  return {
    userId: used.user_id,
    plan: used.plan,
    // An app never has its user's administrator rights.
    isAdmin: used.is_admin && kind !== 'oauth',
    scopes: used.scopes as Scope[],
    credential,
  };
}

export const wsUrlOf = (publicUrl: string, sessionId: string, ticket: string): string =>
  `${publicUrl.replace(/^http/, 'ws')}/v1/collaboration/sessions/${sessionId}/ws?ticket=${ticket}`;

const digestOf = (ticket: string): Buffer => createHash('sha256').update(ticket).digest();
