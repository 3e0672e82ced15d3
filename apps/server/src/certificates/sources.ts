import { randomUUID } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { DomainReason } from '@bottega/contract';
import type { Tls } from '../foundation/config/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { Certificates, Front } from '../foundation/http/front/front.ts';
import { readPair, watchPair } from '../foundation/tls/own-certificate.ts';
import { hostOf, plainName } from '../foundation/tls/own-names.ts';
import { createCertificateRequests, problemOfName } from './certificate-requests.ts';
import { describeAuthority, describePair, type TlsHealth } from './describe.ts';
import { startIssuer } from './issuer.ts';
import { createKnownCertificates } from './known-certificates.ts';
import type { Names } from './names.ts';
import type { Refusals } from './refusals.ts';

/** The source of certificates: the operator's files, or an authority. */
export type Source = {
  certificates: Certificates;
  describe(): Promise<TlsHealth>;
  /** Returns why visitors of a custom domain that points here get no certificate for it. Null if they get one. */
  problemOfCertificate(name: string): Promise<DomainReason | null>;
  /** Keeps the certificates up to date from now on. */
  start(front: Front): { stop(): Promise<void> };
};

type Files = Extract<Tls['certificates'], { from: 'files' }>;
type Authority = Extract<Tls['certificates'], { from: 'acme' }>;

export function certificateOfFiles({ log, publicUrl }: Ground, files: Files): Source {
  let pair = readPair(files);
  let trouble: string | null = null;
  return {
    certificates: { forClients: { cert: pair.cert, key: pair.key }, forChallenges: null },
    describe: async () => describePair(pair, hostOf(publicUrl()), trouble),
    problemOfCertificate: async (name) => (pair.isFor(name) ? null : notFor),
    start: (front) =>
      watchPair(files, {
        changed(next) {
          trouble = null;
          if (next.cert === pair.cert && next.key === pair.key) return;
          pair = next;
          front.replaceCertificate(next);
          log.info({ source: 'tls', names: next.names, until: next.until }, 'reloaded the certificate');
        },
        failed(error) {
          trouble = `${(error as Error).message} The previous certificate remains in use.`;
          log.warn({ source: 'tls' }, trouble);
        },
      }),
  };
}

const notFor: DomainReason = {
  type: 'certificate_failed',
  message: 'The certificate of the service does not cover this domain',
};

/** Maximum number of app names, and of custom domains, that have a certificate at the same time. */
const maxApps = 1_000;
const maxDomains = 10_000;

export function certificatesOfAuthority(
  ground: Ground,
  authority: Authority,
  names: Names,
  refusals: Refusals,
): Source {
  const { db, vital, log } = ground;
  const { directory, appsAWeek, domainsAWeek } = authority;
  const box = ground.secrets('certificates');
  // One person with several accounts can use up half of a week's certificates. The other half is for accounts without a
  // new one that week.
  const limits = (aWeek: number, inAll: number) => ({
    ...{ aWeek, inAll },
    ...{ aWeekOfOne: Math.ceil(aWeek / 4), keptForFirsts: Math.floor(aWeek / 2) },
  });
  const requestCertificate = createCertificateRequests({
    db,
    directory,
    names,
    limits: { apps: limits(appsAWeek, maxApps), domains: limits(domainsAWeek, maxDomains) },
  });
  const known = createKnownCertificates({ db, box, directory, names, requestCertificate });
  const answering =
    (find: (name: string) => Promise<SecureContext | null>) =>
    (given: string, done: (error: Error | null, context?: SecureContext) => void) => {
      const name = plainName(given);
      find(name).then(
        (context) => {
          if (context === null) refusals.note(name);
          done(null, context ?? none);
        },
        (error: Error) => done(error),
      );
    };
  return {
    certificates: {
      forClients: { SNICallback: answering(known.forClient) },
      forChallenges: { SNICallback: answering(known.forChallenge) },
    },
    describe: () => describeAuthority(db, directory, names.always),
    problemOfCertificate: (name) => problemOfName({ db, directory, requestCertificate }, name),
    start: () =>
      startIssuer({ db, vital, log, box, authority, names, issuerId: randomUUID(), warn: ground.warn('tls') }),
  };
}

/** A context without a certificate makes TLS refuse the handshake with an alert instead of closing the connection. */
const none = createSecureContext({});
