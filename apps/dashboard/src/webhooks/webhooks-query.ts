import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { DeliveriesSearch, FiguresSearch, WebhooksSearch } from './webhooks-search.ts';

const perPage = 20;
export const pagesOf = (total: number): number => Math.ceil(total / perPage);
const part = (page = 1) => ({ limit: perPage, offset: (page - 1) * perPage });

export const webhooksKey = ['webhooks'];

export const webhooksQuery = ({ project, active, sort = 'created_at', page }: WebhooksSearch) =>
  queryOptions({
    queryKey: [...webhooksKey, 'list', { project, active, sort, page }],
    queryFn: ({ signal }) =>
      call('GET /webhooks', {
        query: { project_id: project, active, sort, order: sort === 'name' ? 'asc' : 'desc', ...part(page) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...webhooksKey, id],
    queryFn: ({ signal }) => call('GET /webhooks/{webhook_id}', { params: { webhook_id: id }, signal }),
  });

export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: async ({ signal }) => (await call('GET /webhooks/event-types', { signal })).event_types,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Events make this query stale. It is polled while deliveries are in progress. */
export const deliveriesQuery = (id: string, { status, event, from, to, page }: DeliveriesSearch) =>
  queryOptions({
    queryKey: [...webhooksKey, id, 'deliveries', { status, event, from, to, page }],
    queryFn: ({ signal }) =>
      call('GET /webhooks/{webhook_id}/deliveries', {
        params: { webhook_id: id },
        query: { status, event_type: event, start_date: from, end_date: to, ...part(page) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.stats.pending_deliveries ?? 0) > 0 ? 1500 : 15_000),
  });

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: [...webhooksKey, id, 'deliveries', deliveryId],
    queryFn: ({ signal }) =>
      call('GET /webhooks/{webhook_id}/deliveries/{delivery_id}', {
        params: { webhook_id: id, delivery_id: deliveryId },
        signal,
      }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 1500 : false),
  });

export const figuresQuery = (id: string, { period = 'week', from, to }: FiguresSearch) =>
  queryOptions({
    queryKey: [...webhooksKey, id, 'figures', { period, from, to }],
    queryFn: ({ signal }) =>
      call('GET /webhooks/{webhook_id}/stats', {
        params: { webhook_id: id },
        query: { period, start_date: from, end_date: to },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

/** The projects to choose from: the hundred that changed most recently. */
export const choosableProjectsQuery = queryOptions({
  queryKey: ['projects', 'choosable'],
  queryFn: async ({ signal }) =>
    (await call('GET /projects', { query: { limit: 100, sort: 'updated_at' }, signal })).data,
});
