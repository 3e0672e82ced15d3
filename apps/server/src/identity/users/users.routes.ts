import { routes, unversionedRoutes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../foundation/config/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type App, causeOf, handle, notFound, principalOf, trimming } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import type { RateLimiter } from '../../foundation/rate-limits/rate-limiter.ts';
import { avatarSvg } from './avatar.ts';
import { readUsage, type StoredByUser } from './usage.service.ts';
import { readUsageHistory } from './usage-history.service.ts';
import { patchUser, readUser, userChecks } from './users.service.ts';

type Options = { db: Db; config: Config; limiter: RateLimiter; publicUrl: () => string; storedBy: StoredByUser };

export function userRoutes(app: App, { db, config, limiter, publicUrl, storedBy }: Options): void {
  handle(app, routes.readUser, (request) => readUser(db, principalOf(request), publicUrl()));

  const checks = (request: FastifyRequest) => userChecks(() => readUser(db, principalOf(request), publicUrl()));
  handle(app, routes.changeUser, { preValidation: trimming('name'), checks }, (request) =>
    patchUser(db, principalOf(request), request.body, { publicUrl: publicUrl(), cause: causeOf(request) }),
  );

  handle(app, routes.readUsage, (request) =>
    readUsage({ db, limiter, plans: config.plans, storedBy }, principalOf(request)),
  );

  handle(app, routes.readUsageHistory, (request) =>
    readUsageHistory({ db, storedBy }, principalOf(request), request.query.days),
  );
}

/** Serves avatars outside the versioned mounts, because an image on a page must not need a credential. */
export function avatarRoutes(app: App): void {
  handle(app, unversionedRoutes.readAvatar, async (request, reply) => {
    const id = /^(.*)\.svg$/.exec(request.params.file)?.[1] ?? '';
    if (!isId('usr', id)) throw notFound('Avatar');
    return (
      reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff')
        // Pages of other sites also show it, such as those of webhook receivers.
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(avatarSvg(id))
    );
  });
}
