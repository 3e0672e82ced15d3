export { importRoutes } from './import.routes.ts';
export { importRepository } from './import.service.ts';
