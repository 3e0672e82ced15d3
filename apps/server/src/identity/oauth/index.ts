export { identifyAccessToken } from './access-tokens.ts';
export { oauthAppRoutes } from './apps.routes.ts';
export { authorizedAppRoutes } from './authorized-apps.routes.ts';
export { openClientDocuments } from './client-documents.ts';
export { heldAccessTokens } from './grants.sql.ts';
export { deleteExpiredOauth } from './records.sql.ts';
export { apiResource, mcpResource } from './resources.ts';

type Routes = typeof import('./oauth.routes.ts').oauthRoutes;
/** Loads the OAuth routes only when they are registered. Their library is large, and workers need no routes. */
export const oauthRoutes = async (...about: Parameters<Routes>): Promise<void> =>
  (await import('./oauth.routes.ts')).oauthRoutes(...about);
