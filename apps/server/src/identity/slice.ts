import type { FastifyRequest } from 'fastify';
import type { Ground } from '../foundation/ground.ts';
import type { App } from '../foundation/http/index.ts';
import { openRateLimiter } from '../foundation/rate-limits/shared-rate-limiter.ts';
import { redisRateLimiter } from '../foundation/redis/redis-rate-limiter.ts';
import type { Slice } from '../foundation/slice.ts';
import {
  type Accounts,
  accountRoutes,
  deleteExpiredTokens,
  type Leaving,
  passwordRoutes,
  purgeAccount,
  secondFactorRoutes,
  sessionRoutes,
} from './accounts/index.ts';
import { auditRoutes, deleteEntriesOlderThan } from './audit/index.ts';
import {
  apiKeyRoutes,
  createAuthenticator,
  createPasswords,
  deleteEndedSignIns,
  deleteExpiredKeys,
  type Passwords,
  requestAuthenticator,
  serviceAccountRoutes,
  serviceRoutes,
} from './auth/index.ts';
import {
  apiResource,
  authorizedAppRoutes,
  deleteExpiredOauth,
  identifyAccessToken,
  mcpResource,
  oauthAppRoutes,
  oauthRoutes,
  openClientDocuments,
} from './oauth/index.ts';
import { deleteOldBudgets, requestBudgets } from './rate-limits/index.ts';
import { avatarRoutes, forgetOldUsage, recordUsage, type StoredByUser, userRoutes } from './users/index.ts';

type Needs = {
  leaving: Leaving;
  /** Returns how much accounts store in their projects, for reports of usage. */
  storedBy: StoredByUser;
  /** Replaces the password hashing, which by default has the recommended cost. */
  hashing: Passwords | undefined;
};

/** Who a caller is, and how many requests they may send: accounts, credentials, OAuth, the audit log, rate limits. */
export function createIdentity(ground: Ground, { leaving, storedBy, hashing }: Needs) {
  const { config, db, once, publicUrl, redis, siblings } = ground;
  const windows = { windowSeconds: config.rateWindow, burstSeconds: config.burstWindow };
  const limiter = redis ? redisRateLimiter(redis, windows) : openRateLimiter(siblings, windows);
  const authenticator = createAuthenticator({
    db,
    reads: ground.reads,
    jwt: { db, box: ground.secrets('service keys'), publicUrl },
    idleHours: config.sessionLife.idleHours,
    identifyAccessToken: (token) => identifyAccessToken(db, token, publicUrl()),
    caches: ground.caches,
    onError: (error) => ground.warn('identity')(error, 'failed to record the last use of a credential'),
  });
  const origins = { publicUrl, trusted: config.corsOrigins };
  const { authenticate, signedIn } = requestAuthenticator(authenticator, origins);
  const accounts: Accounts = {
    db,
    mailer: ground.mailer,
    passwords: createPasswords(hashing),
    box: ground.secrets('second factors'),
    publicUrl,
    origins,
    life: config.sessionLife,
    signUp: config.signUp,
  };

  return {
    authenticate,
    accounts,
    storedBy,
    /**
     * Throws if the credential of the request is no longer valid. For use during work that takes longer than most
     * requests.
     */
    stillHolds: async (request: FastifyRequest) => void (await authenticate(request)),
    origins,
    budgets: requestBudgets(limiter, {
      plans: config.plans,
      session: config.sessionRate,
      collaboration: config.collaborationRate,
    }),
    routes(api: App) {
      userRoutes(api, { db, config, limiter, publicUrl, storedBy });
      auditRoutes(api, { db, publicUrl });
      sessionRoutes(api, accounts);
      accountRoutes(api, { ...accounts, ...once });
      passwordRoutes(api, accounts);
      secondFactorRoutes(api, { ...accounts, ...once });
      apiKeyRoutes(api, once);
      serviceRoutes(api, { ...once, box: ground.secrets('service keys') });
      serviceAccountRoutes(api, once);
      authorizedAppRoutes(api, { db });
      oauthAppRoutes(api, once);
    },
    async otherRoutes(app: App) {
      avatarRoutes(app);
      const resources = () => (config.mcp ? [apiResource, mcpResource(publicUrl())] : [apiResource]);
      const documents = config.clientDocuments ? openClientDocuments(publicUrl) : null;
      const { log, secretKey } = ground;
      await oauthRoutes(app, { log, secretKey, accounts, resources, documents, signedIn });
    },
    jobs: { 'accounts:purge': (payload) => purgeAccount(db, leaving, payload) },
    cleaning: [
      deleteExpiredKeys,
      deleteExpiredOauth,
      deleteExpiredTokens,
      deleteOldBudgets,
      (all) => deleteEndedSignIns(all, config.sessionLife.idleHours),
      (all) => deleteEntriesOlderThan(all, config.auditDays),
      (all) => recordUsage(all, storedBy),
      forgetOldUsage,
    ],
    async stop() {
      limiter.close();
    },
  } satisfies Slice & Record<string, unknown>;
}
