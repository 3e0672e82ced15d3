import type { DomainReason } from '@bottega/contract';
import { Gauge, type Registry } from 'prom-client';
import { tellingOfPort } from '../foundation/cluster/port-in-use.ts';
import { listenAt } from '../foundation/cluster/shared-ports.ts';
import type { Tls } from '../foundation/config/index.ts';
import type { Db } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import { createFront, type Front } from '../foundation/http/front/front.ts';
import { createHttpsRedirect } from '../foundation/http/front/https-redirect.ts';
import { rememberHealth } from '../foundation/remembered-health.ts';
import type { Slice } from '../foundation/slice.ts';
import { deleteOldCertificates } from './certificates.sql.ts';
import { inWords, type TlsHealth } from './describe.ts';
import { namesOfService } from './names.ts';
import { createRefusals } from './refusals.ts';
import { certificateOfFiles, certificatesOfAuthority, type Source } from './sources.ts';

type Apps = {
  /** The address below which all apps are. */
  appsUrl(): string;
  ownerOfApp(label: string): Promise<string | null>;
};

type Domains = {
  mayBeDomain(name: string): boolean;
  isDomain(name: string): Promise<boolean>;
  ownerOfDomain(name: string): Promise<string | null>;
};

/**
 * What this slice needs from other slices. These are functions, because the slice that serves apps is created later: it
 * needs the front of this slice.
 */
type Needs = { apps(): Apps; domains(): Domains };

type Offer = {
  /** Null if the service does not terminate TLS itself. */
  front: Front | null;
  /** One line for the terminal. Null if there is nothing to report. */
  tlsInWords(): Promise<string | null>;
  /** Why visitors cannot use a custom domain that points here yet. Null if they can. */
  problemOfCertificate(domain: string): Promise<DomainReason | null>;
};

/** TLS in the service itself: its certificates, its listeners, and the redirect from plain HTTP. */
export function createCertificates(ground: Ground, needs: Needs): Slice & Offer {
  const { config, role, publicUrl, siblings } = ground;
  if (config.tls === null) return withoutTls;
  const source = sourceOf(ground, config.tls, needs);
  const front = createFront(source.certificates);
  const { httpPort } = config.tls;
  const redirect =
    httpPort === null || role === 'worker'
      ? null
      : createHttpsRedirect({ publicUrl, appsUrl: () => needs.apps().appsUrl() }, (name) =>
          needs.domains().isDomain(name),
        );
  let upkeep: { stop(): Promise<void> } | null = null;
  const known = rememberHealth(unknown, source.describe);

  return {
    front,
    tlsInWords: async () => inWords(await source.describe()),
    problemOfCertificate: source.problemOfCertificate,
    cleaning: [(db: Db) => deleteOldCertificates(db)],
    health: async (isPatient) => ({ tls: await known(isPatient) }),
    metrics: (registry) => registerMetrics(registry, known),
    async start() {
      await known(true);
      if (redirect && httpPort !== null) {
        const at = { port: httpPort, host: config.host, reusePort: !siblings.isAlone };
        await listenAt(redirect, at).catch(tellingOfPort(httpPort, 'BOTTEGA_HTTP_PORT'));
      }
    },
    // The issuer starts only now, because an authority connects to the port immediately.
    async listening() {
      upkeep = source.start(front);
    },
    async drain() {
      redirect?.close();
      redirect?.closeAllConnections();
      await front.close();
    },
    stop: async () => upkeep?.stop(),
  };
}

const withoutTls: Slice & Offer = {
  front: null,
  tlsInWords: async () => null,
  problemOfCertificate: async () => null,
};

function sourceOf(ground: Ground, { certificates }: Tls, { apps, domains }: Needs): Source {
  if (certificates.from === 'files') return certificateOfFiles(ground, certificates);
  const names = namesOfService(ground.config, {
    ownerOfApp: (label) => apps().ownerOfApp(label),
    ownerOfDomain: (name) => domains().ownerOfDomain(name),
    mayBeDomain: (name) => domains().mayBeDomain(name),
  });
  return certificatesOfAuthority(ground, certificates, names, createRefusals(ground.log));
}

const unknown: TlsHealth = { problem: null, authority: null, names: [] };

function registerMetrics(registry: Registry, known: (isPatient: boolean) => Promise<TlsHealth>): void {
  new Gauge({
    name: 'bottega_certificate_expires_seconds',
    help: 'Unix time at which the certificate for a name of the service expires',
    labelNames: ['name'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      for (const { name, until } of (await known(true)).names) if (until) this.set({ name }, Date.parse(until) / 1000);
    },
  });
  new Gauge({
    name: 'bottega_certificates_failing',
    help: 'Names whose last certificate order failed',
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const { failing, problem } = await known(true);
      this.set(typeof failing === 'number' ? failing : problem === null ? 0 : 1);
    },
  });
}
