export { identifyAccessToken } from './access-tokens.ts';
export { oauthAppRoutes } from './apps.routes.ts';
export { authorizedAppRoutes } from './authorized-apps.routes.ts';
export { openClientDocuments } from './client-documents.ts';
export { heldAccessTokens } from './grants.sql.ts';
export { oauthRoutes } from './oauth.routes.ts';
export { deleteExpiredOauth } from './records.sql.ts';
export { apiResource, mcpResource } from './resources.ts';
