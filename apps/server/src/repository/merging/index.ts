export { mergingRoutes } from './merging.routes.ts';
