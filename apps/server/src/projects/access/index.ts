export {
  isMember,
  mustBeActive,
  mustBeMember,
  mustHave,
  mustOwn,
  mustSee,
  type ProjectAccess,
  permissionsOf,
} from './access.policy.ts';
export {
  accessColumns,
  isInvited,
  isMemberOf,
  isReadableBy,
  managesProject,
  mayWrite,
  membersOf,
  projectAccess,
  projectAccessText,
  sharedProjects,
} from './access.sql.ts';
export {
  isOfProtection,
  isProtected,
  matchesBranch,
  mustNotBeProtected,
  protectedBranch,
  protectionOf,
} from './protected-branches.ts';
