import { type Access, scopeAllows } from '@bottega/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { AppError, forbidden, malformed, notFound, unauthenticated } from '../../app-error.ts';
import { problemOfForm } from '../front/request-form.ts';
import { asAppError } from './errors.ts';
import type { Audience, Principal, ServiceAccount } from './principal.ts';
import { createSlowRefusals } from './slow-refusals.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a caller needs for this route. There is no default, so that no route can be open by mistake. */
    access?: Access;
    /**
     * Accepts Basic too, because Git clients do not support Bearer. The password is the key or token, and the user name
     * is ignored.
     */
    basicAuth?: boolean;
    /**
     * Requests to this public route are charged to the budget of their address, because the route costs more than a
     * lookup in memory.
     */
    counted?: boolean;
    /**
     * Refuses an app's token, whatever its scopes, because the result would outlive the user's revocation of the app.
     */
    notForApps?: boolean;
    /**
     * The only kind of token that the route accepts. The default is `api`. A route with an audience accepts no cookie.
     */
    audience?: Audience;
    /**
     * Service accounts may call this route although it has no project in its path. The route itself restricts them to
     * their projects.
     */
    forServiceAccounts?: boolean;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

export type Guard = {
  /** Null if there is no credential. Throws if the credential is not valid. */
  authenticate(request: FastifyRequest): Promise<Principal | null> | Principal | null;
  /** Charges the request to its caller's budget, and returns the budget for the headers of the response. */
  takeRequest(caller: Caller): Promise<Budget> | Budget;
  /** True if another node has already charged the request to a budget and forwarded it. */
  isCounted?(request: FastifyRequest): boolean;
  /** Returns the budget for the headers without charging the request. */
  peekBudget(caller: Caller): Promise<Budget> | Budget;
};
/** `access` is what the route requires. */
export type Caller = { principal: Principal | null; address: string; access?: Access };
export type Budget = { headers: Record<string, string>; refusal: AppError | null };

/**
 * Checks the form, then identity, then the budget, then the scope. An invalid credential is charged to the address and
 * never to a user. So a flood of them uses up only the budget of the address, and a valid credential from the same
 * address still works.
 */
export function registerGuard(app: FastifyInstance, guard: Guard): void {
  app.decorateRequest('principal', null);
  const refusals = createSlowRefusals();
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    const silent = routes.find((route) => !route.config?.access);
    if (silent) throw new Error(`${silent.method} ${silent.url} does not declare who may call it`);
  });
  // This hook is not async: with a cached credential and a limiter in memory, there is nothing to wait for, and a
  // promise would cost something on every request.
  app.addHook('onRequest', (request, reply, done) => {
    const { config } = request.routeOptions;
    reply.header('x-request-id', request.id);
    const problem = problemOfForm(request.raw);
    const verdict =
      problem !== null || config.access === 'public'
        ? admitAnyone(request, reply, problem)
        : whenKnown(identify(request), (refusal) => admit(request, reply, { config, refusal }));
    const end = (error: AppError | null) => {
      if (error?.status !== 429) done(error ?? undefined);
      else refusals.refuse(request.principal?.userId ?? request.ip, () => done(error));
    };
    if (verdict instanceof Promise) verdict.then(end, done);
    else end(verdict);
  });
  // A client may take a minute to send its body. Meanwhile, the credential may have been revoked or restricted.
  app.addHook('preValidation', (request, _reply, done) => {
    if (!request.principal || hasNoBody.has(request.method)) return done();
    const { config } = request.routeOptions;
    const verdict = whenKnown(identify(request), (refusal) => whyNot(request, { config, refusal }));
    if (verdict instanceof Promise) verdict.then((error) => done(error ?? undefined), done);
    else done(verdict ?? undefined);
  });

  function admitAnyone(
    request: FastifyRequest,
    reply: FastifyReply,
    problem: string | null,
  ): MaybeLater<AppError | null> {
    const caller = { principal: null, address: request.ip };
    const counts = problem === null && request.routeOptions.config.counted === true;
    return whenKnown(counts ? guard.takeRequest(caller) : guard.peekBudget(caller), ({ headers, refusal }) => {
      reply.headers(headers);
      if (problem !== null) return malformed(problem);
      return counts ? refusal : null;
    });
  }

  /** Sets the principal, or returns why there is none. */
  function identify(request: FastifyRequest): MaybeLater<AppError | null> {
    const accept = (principal: Principal | null) => {
      request.principal = principal;
      return null;
    };
    try {
      const principal = guard.authenticate(request);
      return principal instanceof Promise ? principal.then(accept, asAppError) : accept(principal);
    } catch (error) {
      return asAppError(error);
    }
  }

  function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    { config, refusal }: Asked,
  ): MaybeLater<AppError | null> {
    const caller = {
      principal: request.principal,
      address: request.ip,
      ...(config.access && { access: config.access }),
    };
    // A failure of the service, such as an unavailable database, is not charged to the caller.
    const ourFault = refusal !== null && refusal.status >= 500;
    // Git always sends its first request without a credential. This must not use up the budget of its address.
    const isFirstAsk = config.basicAuth && config.access !== 'anyone' && request.headers.authorization === undefined;
    const isFree = ourFault || isFirstAsk || guard.isCounted?.(request) === true;
    const budget = isFree ? guard.peekBudget(caller) : guard.takeRequest(caller);
    return whenKnown(budget, ({ headers, refusal: tooMany }) => {
      reply.headers(headers);
      return tooMany ?? whyNot(request, { config, refusal });
    });
  }
}

const hasNoBody = new Set(['GET', 'HEAD']);

type MaybeLater<Value> = Value | Promise<Value>;
type Asked = {
  config: { access?: Access; basicAuth?: boolean; notForApps?: boolean; forServiceAccounts?: boolean };
  refusal: AppError | null;
};

function whenKnown<Value, Result>(
  value: MaybeLater<Value>,
  next: (value: Value) => MaybeLater<Result>,
): MaybeLater<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

function whyNot({ principal, params }: FastifyRequest, { config, refusal }: Asked): AppError | null {
  const { access, basicAuth, notForApps, forServiceAccounts } = config;
  // An unknown route is a 404 for everyone.
  if (!access) return null;
  if (access === 'anyone' && !refusal && !principal?.serviceAccount) return null;
  // Git sends its credential only after this challenge.
  if (basicAuth && !principal) return askForBasic(refusal);
  if (refusal) return refusal;
  if (!principal) return unauthenticated('Authentication required: send Authorization: Bearer <token>');
  if (notForApps && principal.credential.kind === 'oauth') return forbidden('Apps cannot do this for a user');
  const { serviceAccount } = principal;
  const isNarrowed = !serviceAccount || forServiceAccounts;
  return whyNotBy(principal, access) ?? (isNarrowed ? null : whyNotIn(serviceAccount, params));
}

/**
 * Why a service account may not use a route. A route without a project in its path is not allowed, unless the route
 * itself restricts service accounts to their projects.
 */
function whyNotIn({ projects }: ServiceAccount, params: unknown): AppError | null {
  const { project_id: id, repository } = params as { project_id?: string; repository?: string };
  const project = id ?? repository?.replace(/\.git$/, '');
  if (project === undefined) return forbidden('A service account can act only in its own projects');
  return projects.includes(project) ? null : notFound('Project');
}

function whyNotBy({ scopes, credential, isAdmin }: Principal, access: Access): AppError | null {
  switch (access) {
    case 'public':
    case 'anyone':
    case 'signed-in':
      return null;
    case 'session':
      return credential.kind === 'session' ? null : forbidden('This requires a signed-in browser session');
    case 'admin':
      if (!isAdmin) return forbidden('Only an administrator can do this');
      return scopes.length === 0 ? null : forbidden('This requires a credential whose scopes are not restricted');
    default:
      return scopeAllows(scopes, access) ? null : forbidden(`This requires the scope ${access}`);
  }
}

export function askForBasic(refusal: AppError | null): AppError {
  if (refusal && refusal.status !== 401) return refusal;
  const message = refusal?.message ?? 'Authentication required: use any user name, and an API key as the password';
  const headers = { 'www-authenticate': 'Basic realm="bottega", charset="UTF-8"' };
  return new AppError('AUTHENTICATION_ERROR', message, { headers });
}

/** For handlers behind a guard that accepts no request without a principal. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw unauthenticated('Authentication required');
  return request.principal;
}
