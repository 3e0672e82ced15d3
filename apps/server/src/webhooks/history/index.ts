export { deleteWebhooksOfGoneProjects } from './cleaning.sql.ts';
export { cleanDeliveries } from './cleaning.ts';
export { deliveryRoutes } from './deliveries.routes.ts';
