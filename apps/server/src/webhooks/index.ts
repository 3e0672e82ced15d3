export { deleteWebhooksOfGoneProjects } from './cleaning.ts';
export { sealedWebhookColumns } from './webhooks.sql.ts';
