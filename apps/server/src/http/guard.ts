import { type Scope, scopeAllows } from '@bottega/contract';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { AppError, forbidden, unauthenticated } from './app-error.ts';
import { asAppError } from './errors.ts';
import type { Principal } from './principal.ts';

/** What a route asks of its caller. Every route says it; there is no default to forget. */
export type Access = 'public' | 'signed-in' | Scope;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Git's client knows no Bearer: the password of Basic is the key or token, the user name may be anything. */
    basicAuth?: boolean;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

export type Guard = {
  /** Null without a credential; throws where there is one that does not hold. */
  authenticate(request: FastifyRequest): Promise<Principal | null>;
  /** Counts the request against its caller's budget and says which headers tell of it. */
  takeRequest(caller: Caller): Promise<Budget> | Budget;
  /** The same headers without counting. */
  peekBudget(caller: Caller): Promise<Budget> | Budget;
};
export type Caller = { principal: Principal | null; address: string };
export type Budget = { headers: Record<string, string>; refusal: AppError | null };

/**
 * Identity first, then the budget, then the scope. A bad credential is charged to the address, never to a user: a
 * flood of them uses up only its own budget, and a good credential from the same address goes on working.
 */
export function registerGuard(app: FastifyInstance, guard: Guard): void {
  app.decorateRequest('principal', null);
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    const silent = routes.find((route) => !route.config?.access);
    if (silent) throw new Error(`${silent.method} ${silent.url} does not say who may call it`);
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    const access = request.routeOptions.config.access;
    if (access === 'public') {
      reply.headers((await guard.peekBudget({ principal: null, address: request.ip })).headers);
      return;
    }
    const refusal = await authenticate(request);
    const caller = { principal: request.principal, address: request.ip };
    // When the database is away nobody is to blame for the request.
    const ourFault = refusal !== null && refusal.status >= 500;
    // Git asks without a credential first, always; that must not use up the budget of its address.
    const { basicAuth } = request.routeOptions.config;
    const isFirstAsk = basicAuth && request.headers.authorization === undefined;
    const budget = await (ourFault || isFirstAsk ? guard.peekBudget(caller) : guard.takeRequest(caller));
    reply.headers(budget.headers);
    if (budget.refusal) throw budget.refusal;
    // An unknown route is a 404 for everyone.
    if (!access) return;
    // Git answers this challenge and no other.
    if (basicAuth && !request.principal) throw askForBasic(refusal);
    if (refusal) throw refusal;
    if (!request.principal) throw unauthenticated('This needs a credential: Authorization: Bearer <token>');
    if (access !== 'signed-in' && !scopeAllows(request.principal.scopes, access)) {
      throw forbidden(`This needs the scope ${access}`);
    }
  });

  async function authenticate(request: FastifyRequest): Promise<AppError | null> {
    try {
      request.principal = await guard.authenticate(request);
      return null;
    } catch (error) {
      return asAppError(error);
    }
  }
}

function askForBasic(refusal: AppError | null): AppError {
  if (refusal && refusal.status !== 401) return refusal;
  const message = refusal?.message ?? 'This needs a credential: any user name, and an API key as the password';
  const headers = { 'www-authenticate': 'Basic realm="bottega", charset="UTF-8"' };
  return new AppError('AUTHENTICATION_ERROR', message, { headers });
}

/** For handlers behind a guard that let nobody through without one. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw unauthenticated('This needs a credential');
  return request.principal;
}
