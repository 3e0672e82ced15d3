export { type Account, holdAccount, holdAccountByAddress, provenAddress } from './accounts.sql.ts';
export { type AccountChange, countUsers, countUsersByPlan, listUsers, updateAccount } from './directory.sql.ts';
export type { StoredByUser } from './usage.service.ts';
export { workspaceSecondsOf } from './usage-days.sql.ts';
export { forgetOldUsage, readInstallationUsage, recordUsage } from './usage-history.service.ts';
export { avatarRoutes, userRoutes } from './users.routes.ts';
export { addUser, createUser, userEventData } from './users.service.ts';
export {
  anyUserExists,
  type CredentialsRow,
  deleteUser,
  findCredentials,
  findUser,
  findUserByEmail,
  holdPassword,
  listAdministrators,
  lockActiveAdministrators,
  lockAddress,
  lockUser,
  markEmailVerified,
  retireUser,
  setPasswordHash,
  type UserRow,
} from './users.sql.ts';
export { asUser, avatarUrl } from './users.view.ts';
