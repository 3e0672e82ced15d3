export { checkRoutes } from './checks.routes.ts';
