export { archiveRoutes } from './archive.routes.ts';
export { createGitCaches } from './cache.ts';
export { collectGarbage, collectUnversioned } from './collect.service.ts';
export { gitRoutes } from './git.routes.ts';
export { importRoutes } from './import.routes.ts';
export { importRepository } from './import.service.ts';
export type { Pushes } from './push.service.ts';
