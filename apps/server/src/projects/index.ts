export {
  lockedProject,
  lockKnownProject,
  lockManageableProject,
  lockWritableProject,
  type ReadableProject,
  readableProject,
  type WritableProject,
  writableProject,
} from './project-access.ts';
export { enqueueImport } from './projects.import.ts';
export { purge, purgeProjectsOf } from './projects.jobs.ts';
export { countOwnedProjects, listProjectFor, unlistProjectFor } from './projects.listing.sql.ts';
export { changeOwner } from './projects.ownership.ts';
export { mustBeActive, mustHave, mustOwn, mustSee, type ProjectAccess, permissionsOf } from './projects.policy.ts';
export { projectRoutes } from './projects.routes.ts';
export { accessColumns, findOwnerPlan, sumStoredBytes } from './projects.sql.ts';
export type { FromTemplate } from './projects.template.ts';
