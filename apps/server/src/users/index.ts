export { type Account, holdAccount, holdAccountByAddress, provenAddress } from './accounts.sql.ts';
export { avatarRoutes, userRoutes } from './users.routes.ts';
export { createUser } from './users.service.ts';
export { anyUserExists, findUserByEmail } from './users.sql.ts';
export { avatarUrl } from './users.view.ts';
