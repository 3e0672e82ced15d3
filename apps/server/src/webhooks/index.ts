export { cleanDeliveries, deleteWebhooksOfGoneProjects } from './cleaning.ts';
export { readDeliveryQueue } from './deliveries.sql.ts';
export { endpointRule, loopbackEndpoints } from './endpoint-address.ts';
export { createWebhookEngine, type WebhookEngine } from './engine.ts';
export { webhookRoutes } from './webhooks.routes.ts';
export { sealedWebhookColumns } from './webhooks.sql.ts';
