export { purge } from './projects.jobs.ts';
export { countOwnedProjects } from './projects.listing.sql.ts';
export { projectRoutes } from './projects.routes.ts';
export { sumStoredBytes } from './projects.sql.ts';
