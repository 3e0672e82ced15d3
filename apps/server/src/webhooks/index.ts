export { deleteWebhooksOfGoneProjects } from './cleaning.sql.ts';
export { awaitsFarewell } from './interest.sql.ts';
export { sealedWebhookColumns } from './webhooks.sql.ts';
