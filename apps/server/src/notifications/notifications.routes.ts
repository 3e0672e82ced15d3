import { routes } from '@bottega/contract';
import type { Db } from '../foundation/db/index.ts';
import { type App, asPage, handle, principalOf } from '../foundation/http/index.ts';
import { listNotifications, readNotifications } from './notifications.service.ts';

type Options = { db: Db; publicUrl(): string };

export function notificationRoutes(app: App, { db, publicUrl }: Options): void {
  handle(app, routes.listNotifications, async (request, reply) => {
    const { unread, ...found } = await listNotifications(db, principalOf(request), request.query, publicUrl());
    return { ...asPage(request, reply, publicUrl(), found), unread };
  });

  handle(app, routes.readNotifications, (request) => readNotifications(db, principalOf(request), request.body));
}
