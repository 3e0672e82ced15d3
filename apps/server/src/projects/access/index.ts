export {
  isMember,
  mustBeActive,
  mustHave,
  mustOwn,
  mustSee,
  type ProjectAccess,
  permissionsOf,
} from './access.policy.ts';
export {
  accessColumns,
  isInvited,
  isReadableBy,
  managesProject,
  mayRead,
  mayWrite,
  projectAccess,
  projectAccessText,
  readersOf,
  sharedProjects,
} from './access.sql.ts';
