export { readOnlyGitRoutes, repositoryIdOf } from './fetch.routes.ts';
export { gitRoutes } from './git.routes.ts';
export type { Pushes } from './push.service.ts';
