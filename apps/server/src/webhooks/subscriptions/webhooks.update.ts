import { isDeepStrictEqual } from 'node:util';
import { effectiveRetryPolicy, type UpdatedWebhook, type UpdateWebhook, type WebhookFilters } from '@bottega/contract';
import { type Db, transaction } from '../../foundation/db/index.ts';
import type { Cause, Principal } from '../../foundation/http/index.ts';
import { checkFields, type InTransaction } from '../../foundation/http/request/field-checks.ts';
import { isSamePolicy, type Limits, webhookChecks } from './webhook-input.ts';
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

/**
 * Changes a webhook. Absent fields stay as they are. Only changed values are checked, so a value that was once allowed
 * can be sent back.
 */
export async function changeWebhook(
  db: Db,
  principal: Principal,
  { id, input }: { id: string; input: UpdateWebhook },
  { cause, ...rules }: Rules & { cause: Cause },
): Promise<UpdatedWebhook> {
  return transaction(db, async (trx) => {
    const before = await lockManageableWebhook(trx, principal, id);
    const { headers, ...wanted } = changeOf(before, input, rules);
    await checkFields(
      { ...wanted, headers },
      changeChecks((work) => work(trx), principal, { id, limits: rules }),
    );
    const change = { ...wanted, ...rebinding(before, wanted, principal) };
    if (Object.keys(change).length === 0) return asUpdatedWebhook(before);
    await updateWebhook(trx, id, change);
    const after = await manageableWebhook(trx, principal, id);
    await tellAudit(trx, change.secret_encrypted ? 'webhook.rotated' : 'webhook.updated', after, cause);
    return asUpdatedWebhook(after);
  });
}

export const changeChecks = (
  ask: InTransaction,
  principal: Principal,
  { id, limits }: { id: string; limits: Limits },
) => ({
  ...webhookChecks(limits),
  filters: (filters: WebhookFilters) =>
    ask(async (trx) => {
      const { project_id: projectId } = await manageableWebhook(trx, principal, id);
      await checkFilters(trx, filters, { userId: principal.userId, projectId });
    }),
});

/** `headers` are the plain headers for the checks, because the stored ones are encrypted. */
type Change = Partial<WebhookValues> & Pick<HeadersChange, 'headers'>;

function changeOf(before: WebhookRow, input: UpdateWebhook, rules: Rules): Change {
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
  return { ...change, ...policyChange(before, input), ...headersChange(before, input, rules), ...secretChange() };

  function secretChange(): Partial<WebhookValues> {
    const { box } = rules;
    const { secret } = input;
    // A caller who may not see the secret reads null. So null means "unchanged".
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

/** Replaces only the given parts of a policy. Null resets the policy to the default of the format. */
function policyChange(before: WebhookRow, { retry_policy: given }: UpdateWebhook): Partial<WebhookValues> {
  if (given === undefined) return {};
  if (given !== null && isSamePolicy(given, effectiveRetryPolicy(before.format, before.retry_policy))) return {};
  const wanted = given && { ...before.retry_policy, ...given };
  return isDeepStrictEqual(wanted, before.retry_policy) ? {} : { retry_policy: wanted };
}

type HeadersChange = Pick<Partial<WebhookValues>, 'headers_encrypted'> & { headers?: Record<string, string> };

function headersChange(before: WebhookRow, input: UpdateWebhook, { box }: Rules): HeadersChange {
  if (input.headers === undefined) return {};
  const headers = input.headers ?? {};
  if (isDeepStrictEqual(headers, headersOf(before, box))) return {};
  return { headers, headers_encrypted: sealHeaders(headers, box) };
}
