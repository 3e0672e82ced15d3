export { advanceQueue } from './advance.service.ts';
export { mergingRoutes } from './queue.routes.ts';
