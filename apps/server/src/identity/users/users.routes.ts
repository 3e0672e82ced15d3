import { PatchUser, Usage, User } from '@bottega/contract';
import { Type } from 'typebox';
import type { Config } from '../../foundation/config/index.ts';
import type { Db } from '../../foundation/db/pool.ts';
import { notFound } from '../../foundation/http/app-error.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { trimming } from '../../foundation/http/trimming.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { isId } from '../../foundation/ids.ts';
import type { RateLimiter } from '../rate-limits/index.ts';
import { avatarSvg } from './avatar.ts';
import { readUsage, type StoredByUser } from './usage.service.ts';
import { patchUser, readUser } from './users.service.ts';

const tags = ['User'];

type Options = { db: Db; config: Config; limiter: RateLimiter; publicUrl: () => string; storedBy: StoredByUser };

export function userRoutes(app: App, { db, config, limiter, publicUrl, storedBy }: Options): void {
  app.get(
    '/user',
    {
      config: { access: 'read:user' },
      schema: { tags, summary: 'Read your profile', response: { 200: User } },
    },
    (request) => readUser(db, principalOf(request), publicUrl()),
  );

  app.patch(
    '/user',
    {
      config: { access: 'write:user' },
      preValidation: trimming('name'),
      schema: { tags, summary: 'Change your profile and preferences', body: PatchUser, response: { 200: User } },
    },
    (request) => patchUser(db, principalOf(request), request.body, { publicUrl: publicUrl(), cause: causeOf(request) }),
  );

  app.get(
    '/user/usage',
    {
      config: { access: 'read:user' },
      schema: { tags, summary: 'Requests, projects and stored bytes against your plan', response: { 200: Usage } },
    },
    (request) => readUsage({ db, limiter, plans: config.plans, storedBy }, principalOf(request)),
  );
}

/** Outside the versioned mounts: an address that is shown in pages must not need a credential. */
export function avatarRoutes(app: App): void {
  app.get(
    '/avatars/:file',
    {
      config: { access: 'public' },
      schema: { hide: true, params: Type.Object({ file: Type.String() }) },
    },
    async (request, reply) => {
      const id = /^(.*)\.svg$/.exec(request.params.file)?.[1] ?? '';
      if (!isId('usr', id)) throw notFound('Avatar');
      return (
        reply
          .type('image/svg+xml')
          .header('cache-control', 'public, max-age=31536000, immutable')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('x-content-type-options', 'nosniff')
          // Shown in pages of others too, such as that of whoever receives a webhook.
          .header('cross-origin-resource-policy', 'cross-origin')
          .send(avatarSvg(id))
      );
    },
  );
}
