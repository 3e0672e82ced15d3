import type { WebhookListQuery, WebhookStatsQuery } from '@bottega/contract';
import { dayIn, oneOf, pageIn, searchOf, textIn } from '../kit/address.ts';

export const webhooksSearch = searchOf({
  project: textIn,
  active: oneOf(true, false),
  sort: oneOf<WebhookListQuery['sort']>('name', 'updated_at'),
  page: pageIn,
});
export type WebhooksSearch = ReturnType<typeof webhooksSearch>;

export const newWebhookSearch = searchOf({ project: textIn });

/** All filters of the API. `dialog` opens one of the dialogs. */
export const deliveriesSearch = searchOf({
  status: oneOf('success', 'failed', 'pending'),
  event: textIn,
  from: dayIn,
  to: dayIn,
  page: pageIn,
  dialog: oneOf('test', 'failed', 'missed'),
});
export type DeliveriesSearch = ReturnType<typeof deliveriesSearch>;

type Period = WebhookStatsQuery['period'];
export const periods = ['hour', 'day', 'week', 'month'] as const satisfies Period[];

/** The default is a week. */
export const figuresSearch = searchOf({ period: oneOf<Period>('hour', 'day', 'month'), from: dayIn, to: dayIn });
export type FiguresSearch = ReturnType<typeof figuresSearch>;
