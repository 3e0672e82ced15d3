import { randomUUID } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Tls } from '../foundation/config/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { Certificates, Front } from '../foundation/tls/front.ts';
import { readPair, watchPair } from '../foundation/tls/own-certificate.ts';
import { hostOf, plainName } from '../foundation/tls/own-names.ts';
import { describeAuthority, describePair, type TlsHealth } from './describe.ts';
import { startIssuer } from './issuer.ts';
import { createKnownCertificates } from './known-certificates.ts';
import type { Names } from './names.ts';
import type { Refusals } from './refusals.ts';

/** Where certificates come from: files of the operator's, or an authority. */
export type Source = {
  certificates: Certificates;
  describe(): Promise<TlsHealth>;
  /** Keeps them up to date from here on. */
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
    start: (front) =>
      watchPair(files, {
        changed(next) {
          trouble = null;
          if (next.cert === pair.cert && next.key === pair.key) return;
          pair = next;
          front.replaceCertificate(next);
          log.info({ source: 'tls', names: next.names, until: next.until }, 'the certificate was read again');
        },
        failed(error) {
          trouble = `${(error as Error).message} The former certificate stays in use.`;
          log.warn({ source: 'tls' }, trouble);
        },
      }),
  };
}

/** Most names of apps that have a certificate at once. */
const mostApps = 1_000;

export function certificatesOfAuthority(
  ground: Ground,
  authority: Authority,
  names: Names,
  refusals: Refusals,
): Source {
  const { db, vital, log } = ground;
  const { directory, appsAWeek } = authority;
  const box = ground.secrets('certificates');
  const wishes = { aWeek: appsAWeek, aWeekOfAccount: Math.ceil(appsAWeek / 4), inAll: mostApps };
  const known = createKnownCertificates({ db, box, directory, names, wishes });
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
    start: () =>
      startIssuer({ db, vital, log, box, authority, names, issuerId: randomUUID(), warn: ground.warn('tls') }),
  };
}

/** Without a certificate TLS refuses the handshake with an alert, which a closed connection would not be. */
const none = createSecureContext({});
