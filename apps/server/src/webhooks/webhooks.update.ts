import { isDeepStrictEqual } from 'node:util';
import { effectiveRetryPolicy, type UpdatedWebhook, type UpdateWebhook } from '@bottega/contract';
import { type Db, transaction } from '../foundation/db/index.ts';
import { checkFields } from '../foundation/http/field-checks.ts';
import type { Cause, Principal } from '../foundation/http/index.ts';
import { isSamePolicy, webhookChecks } from './webhook-input.ts';
import { rebinding } from './webhooks.policy.ts';
import {
  checkFilters,
  dayOfOverlap,
  lockManageableWebhook,
  manageableWebhook,
  type Rules,
  sealHeaders,
  tellAudit,
  withNewSecret,
} from './webhooks.service.ts';
import { updateWebhook, type WebhookRow, type WebhookValues } from './webhooks.sql.ts';
import { asUpdatedWebhook, headersOf } from './webhooks.view.ts';

/** What is absent stays as it is. Only what differs is judged: what was allowed once may be sent back. */
export async function changeWebhook(
  db: Db,
  principal: Principal,
  { id, input }: { id: string; input: UpdateWebhook },
  { cause, ...rules }: Rules & { cause: Cause },
): Promise<UpdatedWebhook> {
  return transaction(db, async (trx) => {
    const before = await lockManageableWebhook(trx, principal, id);
    const wanted = await changeOf(before, input, rules);
    const change = { ...wanted, ...rebinding(before, wanted, principal) };
    if (change.filters) {
      await checkFilters(trx, change.filters, { userId: principal.userId, projectId: before.project_id });
    }
    if (Object.keys(change).length === 0) return asUpdatedWebhook(before);
    await updateWebhook(trx, id, change);
    const after = await manageableWebhook(trx, principal, id);
    await tellAudit(trx, change.secret_encrypted ? 'webhook.rotated' : 'webhook.updated', after, cause);
    return asUpdatedWebhook(after);
  });
}

async function changeOf(before: WebhookRow, input: UpdateWebhook, rules: Rules): Promise<Partial<WebhookValues>> {
  const change: Partial<WebhookValues> = differences(before, {
    name: input.name,
    description: input.description,
    url: input.url,
    events: input.events,
    active: input.active,
    timeout: input.timeout,
    ordered: input.ordered,
    filters: input.filters,
  });
  const { headers, ...sealed } = headersChange(before, input, rules);
  await checkFields({ ...change, headers }, webhookChecks(rules));
  return { ...change, ...policyChange(before, input), ...sealed, ...secretChange() };

  function secretChange(): Partial<WebhookValues> {
    const { box } = rules;
    const { secret } = input;
    // Null is what who may not see it reads, so sent back it means "as it is".
    if (secret === undefined || secret === null || secret === box.open(before.secret_encrypted)) return {};
    return withNewSecret(before, { secret, overlapSeconds: dayOfOverlap, box });
  }
}

type Wanted = { [Name in keyof WebhookValues]?: WebhookValues[Name] | undefined };

function differences(before: WebhookRow, wanted: Wanted): Partial<WebhookValues> {
  const differing = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof WebhookRow]),
  );
  return Object.fromEntries(differing);
}

function policyChange(before: WebhookRow, { retry_policy: given }: UpdateWebhook): Partial<WebhookValues> {
  if (given === undefined) return {};
  if (given !== null && isSamePolicy(given, effectiveRetryPolicy(before.format, before.retry_policy))) return {};
  return isDeepStrictEqual(given, before.retry_policy) ? {} : { retry_policy: given };
}

type HeadersChange = Pick<Partial<WebhookValues>, 'headers_encrypted'> & { headers?: Record<string, string> };

function headersChange(before: WebhookRow, input: UpdateWebhook, { box }: Rules): HeadersChange {
  if (input.headers === undefined) return {};
  const headers = input.headers ?? {};
  if (isDeepStrictEqual(headers, headersOf(before, box))) return {};
  return { headers, headers_encrypted: sealHeaders(headers, box) };
}
