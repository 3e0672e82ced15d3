export { deleteWebhooksOfGoneProjects } from './cleaning.sql.ts';
export { compileFilters } from './filters.ts';
export { awaitsFarewell } from './interest.sql.ts';
export type { Nudge } from './nudges.sql.ts';
export type { OutboxEvent } from './relay.sql.ts';
export { renderBody, renderData } from './rendering.ts';
export { mustBeAbleToHear } from './webhooks.policy.ts';
export { sealedWebhookColumns } from './webhooks.sql.ts';
