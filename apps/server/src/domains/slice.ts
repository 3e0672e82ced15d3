import { rememberRows } from '../foundation/cluster/remembered-rows.ts';
import { ofEachPlan } from '../foundation/config/index.ts';
import type { Trx } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { App, Principal } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import { hostOf } from '../foundation/tls/own-names.ts';
import { type Checking, checkDue } from './check.service.ts';
import { domainRoutes } from './domains.routes.ts';
import { mustHaveRoomForProject } from './domains.service.ts';
import { findHeld } from './domains.sql.ts';
import { createLookup } from './lookup.ts';
import { mayBeDomain } from './names.ts';

type Needs = {
  /** A function, because the slice that serves apps is created after this one. */
  apps(): { appsUrl(): string };
  problemOfCertificate: Checking['problemOfCertificate'];
};

const maxRemembered = 10_000;

/** Custom domains: who holds each, and whether it points here. */
export function createDomains(ground: Ground, { apps, problemOfCertificate }: Needs) {
  const { config, db, publicUrl } = ground;
  const appsUrl = () => apps().appsUrl();
  const appsHost = () => hostOf(appsUrl());
  const lookup = createLookup(config.nameServers, appsHost);
  const here = async () => ({ appsHost: appsHost(), addresses: await lookup.ownAddresses() });
  const checking: Checking = { db, lookup, here, problemOfCertificate };
  const limits = ofEachPlan(config.plans, 'domains');
  const known = rememberRows<boolean>(ground.caches, 'apps', maxRemembered);

  async function isDomain(name: string): Promise<boolean> {
    return mayBeDomain(name) && known.get(name, async () => (await findHeld(db, name)) !== undefined);
  }

  return {
    mayBeDomain,
    /** Whether a project is served at this name. */
    isDomain,
    /**
     * The account for which a certificate of this domain is ordered. Null unless the domain points here, so that nobody
     * can waste the authority's quota.
     */
    async ownerOfDomain(name: string) {
      const held = mayBeDomain(name) ? await findHeld(db, name) : undefined;
      return held?.leads_here ? held.owner_id : null;
    },
    /** Throws if the new owner's plan does not allow the project's domains. */
    checkNewOwner: (trx: Trx, projectId: string, owner: Principal) =>
      mustHaveRoomForProject(trx, projectId, owner, limits),
    routes: (api: App) =>
      domainRoutes(api, {
        once: ground.once,
        checking,
        hosts: { publicUrl, appsUrl },
        limits,
      }),
    jobs: { 'domains:check': () => checkDue(checking, ground.warn('domains')) },
  } satisfies Slice & Record<string, unknown>;
}
