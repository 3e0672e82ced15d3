import {
  type CreateWebhook,
  effectiveRetryPolicy,
  type RetryPolicy,
  type UpdateWebhook,
  type Webhook,
  type WebhookFormat,
} from '@bottega/contract';
import { newPair, type Pair } from '../kit/pairs.ts';
import { statusesIn } from './retry-delays.ts';

/**
 * The fields of the form. It contains the complete policy, but only parts that differ from the previous values are
 * sent.
 */
export type FormValues = {
  name: string;
  url: string;
  description: string;
  project: string;
  format: WebhookFormat;
  events: string[];
  secret: string;
  headers: Pair[];
  timeout: number;
  ordered: boolean;
  filterProjects: string[];
  filterPaths: string[];
  policy: Omit<RetryPolicy, 'retry_on_status'> & { statuses: string };
};

const usualStatuses = effectiveRetryPolicy('reference', null).retry_on_status;

/** The default statuses are a hundred numbers, so an empty field stands for them. */
export function policyFields({ retry_on_status, ...rest }: RetryPolicy): FormValues['policy'] {
  const text = retry_on_status.join(', ');
  return { ...rest, statuses: text === usualStatuses.join(', ') ? '' : text };
}

export function policyOf({ statuses, ...rest }: FormValues['policy']): RetryPolicy {
  return { ...rest, retry_on_status: statusesIn(statuses) ?? usualStatuses };
}

export function emptyForm(project: string, policy: RetryPolicy): FormValues {
  return {
    name: '',
    url: '',
    description: '',
    project,
    format: 'reference',
    events: [],
    secret: '',
    headers: [],
    timeout: 30,
    ordered: false,
    filterProjects: [],
    filterPaths: [],
    policy: policyFields(policy),
  };
}

export function formOf(webhook: Webhook): FormValues {
  return {
    name: webhook.name,
    url: webhook.url,
    description: webhook.description,
    project: webhook.project_id ?? '',
    format: webhook.format,
    events: webhook.events,
    secret: '',
    headers: Object.entries(webhook.headers).map(([name, value]) => newPair(name, value)),
    timeout: webhook.timeout,
    ordered: webhook.ordered,
    filterProjects: webhook.filters?.projects ?? [],
    filterPaths: webhook.filters?.paths ?? [],
    policy: policyFields(webhook.retry_policy),
  };
}

function common(values: FormValues) {
  const { filterProjects: projects, filterPaths: paths } = values;
  const filters = { ...(projects.length > 0 && { projects }), ...(paths.length > 0 && { paths }) };
  return {
    name: values.name,
    url: values.url.trim(),
    description: values.description,
    events: values.events,
    headers: Object.fromEntries(values.headers.filter(({ name }) => name !== '').map((row) => [row.name, row.value])),
    timeout: values.timeout,
    ordered: values.ordered,
    filters: Object.keys(filters).length > 0 ? filters : null,
  };
}

/** Sends only the parts of the policy that differ from the format's defaults, because the defaults may change later. */
export function createOf(values: FormValues, ownPolicy: RetryPolicy): CreateWebhook {
  const policy = policyOf(values.policy);
  const changedFields = Object.entries(policy).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(ownPolicy[name as keyof RetryPolicy]),
  );
  return {
    ...common(values),
    format: values.format,
    project_id: values.project || null,
    ...(values.secret !== '' && { secret: values.secret }),
    ...(changedFields.length > 0 && { retry_policy: Object.fromEntries(changedFields) }),
  };
}

export function updateOf(values: FormValues, before: RetryPolicy): UpdateWebhook {
  const policy = policyOf(values.policy);
  const isSame = JSON.stringify(policyFields(policy)) === JSON.stringify(policyFields(before));
  return { ...common(values), ...(!isSame && { retry_policy: policy }) };
}
