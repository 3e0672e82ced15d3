import type { WebhookListQuery, WebhookStatsQuery } from '@bottega/contract';
import { dayIn, oneOf, pageIn, textIn } from '../kit/address.ts';

type Search = Record<string, unknown>;

export type WebhooksSearch = {
  project?: string | undefined;
  active?: boolean | undefined;
  sort?: WebhookListQuery['sort'] | undefined;
  page?: number | undefined;
};
export const webhooksSearch = ({ project, active, sort, page }: Search): WebhooksSearch => ({
  project: textIn(project),
  active: typeof active === 'boolean' ? active : undefined,
  sort: oneOf(['name', 'updated_at'], sort),
  page: pageIn(page),
});

export const newWebhookSearch = ({ project }: Search): { project?: string | undefined } => ({
  project: textIn(project),
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
export const deliveriesSearch = ({ status, event, from, to, page, dialog }: Search): DeliveriesSearch => ({
  status: oneOf(['success', 'failed', 'pending'], status),
  event: textIn(event),
  from: dayIn(from),
  to: dayIn(to),
  page: pageIn(page),
  dialog: oneOf(['test', 'failed', 'missed'], dialog),
});

export const periods = ['hour', 'day', 'week', 'month'] as const satisfies WebhookStatsQuery['period'][];
export type FiguresSearch = {
  period?: WebhookStatsQuery['period'] | undefined;
  from?: string | undefined;
  to?: string | undefined;
};
export const figuresSearch = ({ period, from, to }: Search): FiguresSearch => ({
  period: period === 'week' ? undefined : oneOf(periods, period),
  from: dayIn(from),
  to: dayIn(to),
});
