export {
  lockedProject,
  lockingForWriters,
  lockingFreeForWriters,
  lockKnownProject,
  lockManageableProject,
  lockWritableProject,
  projectOfMember,
  type ReadableProject,
  readableProject,
  type WritableProject,
  type Writers,
  writableProject,
} from './project-access.ts';
export { createEmptyProject } from './projects.create.ts';
export { enqueueImport } from './projects.import.ts';
export { countOwnedProjects, listProjectFor, unlistProjectFor } from './projects.listing.sql.ts';
export { changeOwner } from './projects.ownership.ts';
export { findOwner, holdProject, sumStoredByEach, sumStoredBytes } from './projects.sql.ts';
export { mustHaveStorage } from './projects.storage.ts';
export type { FromTemplate } from './projects.template.ts';
