export { revokeAllCredentials } from './all-credentials.sql.ts';
export { randomBase62 } from './api-key-format.ts';
export { apiKeyRoutes } from './api-keys.routes.ts';
export { issueApiKey } from './api-keys.service.ts';
export { deleteExpiredKeys } from './api-keys.sql.ts';
export { createAuthenticator } from './authenticate.ts';
export { announceCredentialChange } from './credential-changes.ts';
export { heldCredentials } from './held-credentials.sql.ts';
export { argon2id, createPasswords, hashPassword, type Passwords } from './passwords.ts';
export { requestAuthenticator, type SignedIn } from './request-credential.ts';
export { serviceAccountRoutes } from './service-accounts.routes.ts';
export { serviceRoutes } from './services.routes.ts';
export { registerService } from './services.service.ts';
export { sealedServiceKeys } from './services.sql.ts';
export {
  clearedSessionCookie,
  csrfTokenMatches,
  csrfTokenOf,
  sessionCookie,
  sessionValueOf,
} from './session-cookie.ts';
export { endSessions, type OpenedSession, openSession, type SessionLife } from './sign-ins.service.ts';
export { deleteEndedSignIns, findSignIn, listSignIns, type SignInRow } from './sign-ins.sql.ts';
export { mustNotBeSuspended } from './suspension.ts';
