export { deleteWebhooksOfGoneProjects } from './cleaning.sql.ts';
export { sealedWebhookColumns } from './webhooks.sql.ts';
