export {
  lockedProject,
  lockManageableProject,
  lockWritableProject,
  type ReadableProject,
  readableProject,
  type WritableProject,
  writableProject,
} from './project-access.ts';
export { enqueueImport } from './projects.import.ts';
export { purge } from './projects.jobs.ts';
export { countOwnedProjects } from './projects.listing.sql.ts';
export { mustSee, type ProjectAccess } from './projects.policy.ts';
export { projectRoutes } from './projects.routes.ts';
export { accessColumns, sumStoredBytes } from './projects.sql.ts';
