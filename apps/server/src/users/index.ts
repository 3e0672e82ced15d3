export { avatarRoutes, userRoutes } from './users.routes.ts';
export { createUser } from './users.service.ts';
export { anyUserExists, findUserByEmail } from './users.sql.ts';
