import type { Ground } from '../foundation/ground.ts';
import type { App } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import { mailDigest } from './digest.service.ts';
import { notificationRoutes } from './notifications.routes.ts';
import { deleteBeyond, deleteOlderThan } from './notifications.sql.ts';

const keptDays = 90;
const maxPerUser = 500;

/** Notifies users of what concerns them, in the dashboard and by mail. */
export function createNotifications({ db, mailer, publicUrl }: Ground) {
  return {
    routes: (api: App) => notificationRoutes(api, { db, publicUrl }),
    jobs: {
      'notifications:mail': (payload) => mailDigest(db, { mailer, publicUrl: publicUrl() }, payload),
    },
    cleaning: [(all) => deleteOlderThan(all, keptDays), (all) => deleteBeyond(all, maxPerUser)],
  } satisfies Slice & Record<string, unknown>;
}
