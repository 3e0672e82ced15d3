import {
  type AuditAction,
  type CreateCoreWebhook,
  type CreatedWebhook,
  type RotatedSecret,
  type RotateSecret,
  scopeAllows,
  type Webhook,
  type WebhookFilters,
  type WebhookFormat,
  type WebhookList,
  type WebhookListQuery,
} from '@bottega/contract';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import { type Db, type Queries, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, type Cause, invalid, type Principal } from '../../foundation/http/index.ts';
import { checkEach, checkFields, type InTransaction } from '../../foundation/http/request/field-checks.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { recordAudit } from '../../identity/audit/index.ts';
import { lockManageableProject, readableProject } from '../../projects/index.ts';
import { writeWebhookDown } from '../queue/index.ts';
import { type Limits, newSecret, webhookChecks } from './webhook-input.ts';
import { bindingOf, mustBeAbleToHear, mustManage } from './webhooks.policy.ts';
import * as rows from './webhooks.sql.ts';
import { asCreatedWebhook, asListedWebhook, asOutcome, asWebhook } from './webhooks.view.ts';

/** The installation's rules for managing webhooks. */
export type Rules = {
  /** Encrypts secrets and custom headers. */
  box: SecretBox;
  /** Returns why nothing may be sent to that URL, or null if it is allowed. */
  problemOf(url: string): string | null;
  /** Maximum number of webhooks of an account, and the longest timeout in seconds. */
  max: { webhooks: number; timeout: number };
};

const defaultTimeout = 30;

/** Finds a webhook that the user may manage. Throws 404 or 403. */
export async function manageableWebhook(db: Queries, { userId }: Principal, id: string): Promise<rows.WebhookRow> {
  return mustManage(isId('whk', id) ? await rows.findWebhook(db, id, userId) : undefined, userId);
}

/** Like `manageableWebhook`, but also locks the webhook until the transaction ends. */
export async function lockManageableWebhook(trx: Trx, { userId }: Principal, id: string): Promise<rows.WebhookRow> {
  return mustManage(isId('whk', id) ? await rows.lockWebhook(trx, id, userId) : undefined, userId);
}

export async function createWebhook(
  trx: Trx,
  principal: Principal,
  input: CreateCoreWebhook,
  { box, problemOf, max, format, cause }: Rules & { format: WebhookFormat; cause: Cause },
): Promise<CreatedWebhook> {
  const { userId } = principal;
  const timeout = input.timeout ?? Math.min(defaultTimeout, max.timeout);
  await checkFields(
    input,
    creationChecks((work) => work(trx), userId, { problemOf, max }),
  );
  mustBeAbleToHear(principal, input.events);
  if ((await rows.lockOwnedWebhooks(trx, userId)) >= max.webhooks) {
    throw invalid('', `An account can have at most ${max.webhooks} webhooks`);
  }
  const id = newId('whk');
  await rows.insertWebhook(trx, {
    id,
    owner_id: userId,
    created_by: userId,
    project_id: input.project_id ?? null,
    format: input.format ?? format,
    name: input.name ?? new URL(input.url).host.slice(0, 100),
    description: input.description ?? '',
    url: input.url,
    events: input.events,
    active: input.active ?? true,
    secret_encrypted: box.seal(input.secret ?? newSecret()),
    headers_encrypted: sealHeaders(input.headers ?? {}, box),
    timeout,
    retry_policy: input.retry_policy ?? null,
    ordered: input.ordered ?? false,
    filters: input.filters ?? null,
    ...bindingOf(principal),
  });
  const webhook = await manageableWebhook(trx, principal, id);
  await tellAudit(trx, 'webhook.created', webhook, cause);
  return asCreatedWebhook(webhook, box);
}

export const creationChecks = (ask: InTransaction, userId: string, limits: Limits) => ({
  ...webhookChecks(limits),
  project_id: (id: string) => ask((trx) => mustManageProject(trx, id, userId)),
  filters: (filters: WebhookFilters, { project_id: projectId = null }: Partial<CreateCoreWebhook>) =>
    ask((trx) => checkFilters(trx, filters, { userId, projectId })),
});

type Change = Extract<AuditAction, `webhook.${string}`>;

/** Records the action in the audit log of the webhook's owner, even if another manager of the project has acted. */
export async function tellAudit(trx: Trx, action: Change, webhook: rows.WebhookRow, cause: Cause): Promise<void> {
  const { id, owner_id, project_id, name, url } = webhook;
  // Only the host, because the rest of the URL may contain a secret of the receiver.
  const details = { name, host: new URL(url).host, project_id };
  await recordAudit(trx, { action, accountId: owner_id, subjectId: id, details }, cause);
}

/**
 * Throws if the user does not manage the project. A hidden project in a request body is treated as one that does not
 * exist.
 */
async function mustManageProject(trx: Trx, projectId: string, userId: string): Promise<void> {
  try {
    await lockManageableProject(trx, projectId, userId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') throw invalid('project_id', 'is not a known project');
    throw error;
  }
}

export async function checkFilters(
  trx: Trx,
  filters: WebhookFilters | null,
  { userId, projectId }: { userId: string; projectId: string | null },
): Promise<void> {
  await checkEach(filters?.projects ?? [], async (id, index) => {
    const field = `filters.projects.${index}`;
    if (projectId !== null && id !== projectId) throw invalid(field, 'is not the project of this webhook');
    await readableProject(trx, id, userId).catch((error) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') throw invalid(field, 'is not a known project');
      throw error;
    });
  });
}

export function sealHeaders(headers: Readonly<Record<string, string>>, box: SecretBox): Buffer | null {
  return Object.keys(headers).length === 0 ? null : box.seal(JSON.stringify(headers));
}

export async function listWebhooks(db: Db, { userId }: Principal, query: WebhookListQuery): Promise<WebhookList> {
  const [page, total] = await Promise.all([
    rows.listWebhooks(db, userId, query),
    rows.countWebhooks(db, userId, query),
  ]);
  const { limit, offset } = query;
  return {
    webhooks: page.map(asListedWebhook),
    total,
    pagination: { limit, offset, has_more: offset + page.length < total },
  };
}

export async function readWebhook(db: Db, principal: Principal, id: string, box: SecretBox): Promise<Webhook> {
  const row = await manageableWebhook(db, principal, id);
  await writeWebhookDown(db, id);
  return asWebhook(row, {
    box,
    showsSecret: scopeAllows(principal.scopes, 'write:webhooks'),
    recent: (await rows.recentDeliveries(db, id)).map(asOutcome),
  });
}

export async function deleteWebhook(db: Db, principal: Principal, id: string, cause: Cause): Promise<Date> {
  return transaction(db, async (trx) => {
    await tellAudit(trx, 'webhook.deleted', await lockManageableWebhook(trx, principal, id), cause);
    return rows.deleteWebhook(trx, id);
  });
}

/**
 * Replaces the secret. Until the overlap ends, `webhook-signature` contains signatures with the old and the new secret.
 * If the secret is replaced again before that, the first one is dropped immediately.
 */
export async function rotateSecret(
  trx: Trx,
  principal: Principal,
  id: string,
  { input, box, cause }: { input: RotateSecret; box: SecretBox; cause: Cause },
): Promise<RotatedSecret> {
  const webhook = await lockManageableWebhook(trx, principal, id);
  const secret = input.secret ?? newSecret();
  const change = withNewSecret(webhook, { secret, overlapSeconds: input.overlap_seconds ?? dayOfOverlap, box });
  await rows.updateWebhook(trx, id, change);
  await tellAudit(trx, 'webhook.rotated', webhook, cause);
  return { webhook_id: id, secret, previous_secret_until: change.previous_secret_until?.toISOString() ?? null };
}

export const dayOfOverlap = 86_400;

export function withNewSecret(
  webhook: rows.WebhookRow,
  { secret, overlapSeconds, box }: { secret: string; overlapSeconds: number; box: SecretBox },
): Pick<rows.WebhookValues, 'secret_encrypted' | 'previous_secret_encrypted' | 'previous_secret_until'> {
  const overlaps = overlapSeconds > 0;
  return {
    secret_encrypted: box.seal(secret),
    previous_secret_encrypted: overlaps ? webhook.secret_encrypted : null,
    previous_secret_until: overlaps ? new Date(Date.now() + overlapSeconds * 1000) : null,
  };
}
