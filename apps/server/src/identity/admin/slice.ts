import type { Ground } from '../../foundation/ground.ts';
import type { App } from '../../foundation/http/index.ts';
import type { Slice } from '../../foundation/slice.ts';
import type { Accounts } from '../accounts/index.ts';
import type { StoredByUser } from '../users/index.ts';
import { adminRoutes } from './admin.routes.ts';
import type { HealthSources } from './health.service.ts';
import { rescueRoutes } from './rescue.routes.ts';

type Needs = {
  accounts: Accounts;
  storedBy: StoredByUser;
  /** Facts that the other slices report, by name. */
  figures: HealthSources['parts'];
};

/** Administration: all accounts, and the state of the service. */
export function createAdministration(ground: Ground, { accounts, storedBy, figures }: Needs): Slice {
  const { config, db, isDraining, once, pool, publicUrl } = ground;
  const options = {
    db,
    config,
    pool,
    isDraining,
    parts: { ...figures, mail: () => mailFigures(ground) },
    publicUrl,
    storedBy,
  };
  return {
    routes(api: App) {
      adminRoutes(api, options);
      rescueRoutes(api, { ...once, accounts, storedBy });
    },
  };
}

/** Whether mail is sent, and by which server. Never includes the server's credentials. */
function mailFigures({ config, mailer }: Ground) {
  const server = config.smtpUrl === null ? null : new URL(config.smtpUrl).host;
  return { set_up: mailer.isSetUp, server, sender: config.mailFrom };
}
