import type { WebhookListQuery, WebhookStatsQuery } from '@bottega/contract';

type Search = Record<string, unknown>;
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, 100) : undefined;
const pageOf = (page: unknown): number | undefined =>
  Number.isInteger(page) && Number(page) > 1 ? Number(page) : undefined;
const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;

export type WebhooksSearch = {
  project?: string | undefined;
  active?: boolean | undefined;
  sort?: WebhookListQuery['sort'] | undefined;
  page?: number | undefined;
};
export const webhooksSearch = ({ project, active, sort, page }: Search): WebhooksSearch => ({
  project: textOf(project),
  active: typeof active === 'boolean' ? active : undefined,
  sort: sort === 'name' || sort === 'updated_at' ? sort : undefined,
  page: pageOf(page),
});

export const newWebhookSearch = ({ project }: Search): { project?: string | undefined } => ({
  project: textOf(project),
});

/** Every filter of the API; `dialog` opens one of the dialogs. */
export type DeliveriesSearch = {
  status?: 'success' | 'failed' | 'pending' | undefined;
  event?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  page?: number | undefined;
  dialog?: 'test' | 'failed' | 'missed' | undefined;
};
const dialogs = ['test', 'failed', 'missed'] as const;
const deliveryStatuses = ['success', 'failed', 'pending'] as const;
export const deliveriesSearch = ({ status, event, from, to, page, dialog }: Search): DeliveriesSearch => ({
  status: deliveryStatuses.find((one) => one === status),
  event: textOf(event),
  from: dayOf(from),
  to: dayOf(to),
  page: pageOf(page),
  dialog: dialogs.find((one) => one === dialog),
});

export const periods = ['hour', 'day', 'week', 'month'] as const satisfies WebhookStatsQuery['period'][];
export type FiguresSearch = {
  period?: WebhookStatsQuery['period'] | undefined;
  from?: string | undefined;
  to?: string | undefined;
};
export const figuresSearch = ({ period, from, to }: Search): FiguresSearch => ({
  period: period === 'week' ? undefined : periods.find((one) => one === period),
  from: dayOf(from),
  to: dayOf(to),
});
