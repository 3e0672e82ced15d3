export { randomBase62 } from './api-key-format.ts';
export { apiKeyRoutes } from './api-keys.routes.ts';
export { issueApiKey } from './api-keys.service.ts';
export { deleteExpiredKeys } from './api-keys.sql.ts';
export { type Authenticator, createAuthenticator } from './authenticate.ts';
export { credentialChannel } from './credential-changes.ts';
export { hashPassword } from './passwords.ts';
export { serviceRoutes } from './services.routes.ts';
export { registerService } from './services.service.ts';
