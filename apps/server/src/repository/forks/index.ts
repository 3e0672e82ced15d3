export { withCommitsOf } from './commits-of.ts';
export { forkRoutes } from './fork.routes.ts';
