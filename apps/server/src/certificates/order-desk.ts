import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Logger } from 'pino';
import type { SecretBox } from '../foundation/crypto/secret-box.ts';
import type { Db } from '../foundation/db/index.ts';
import {
  AcmeError,
  askRenewalInfo,
  chooseTime,
  type Directory,
  defaultTime,
  newKey,
  openSession,
  orderCertificate,
  readDirectory,
  renewalIdOf,
  type Session,
} from './acme/index.ts';
import * as rows from './issuer.sql.ts';
import type { Names } from './names.ts';

export type DeskOptions = {
  db: Db;
  log: Logger;
  box: SecretBox;
  authority: { directory: string; email: string };
  names: Names;
};

const dayMs = 24 * 3_600_000;
/** First pause after a failure; each pause doubles. Four failures an hour stay below Let's Encrypt's limit of five. */
const firstPauseMs = 5 * 60_000;
const longestPauseMs = dayMs / 4;

/** The account's key at the authority. The first caller creates it. */
export function accountKey(db: Db, { box, authority }: Pick<DeskOptions, 'box' | 'authority'>): Promise<Buffer> {
  const make = () => box.seal(newKey().export({ type: 'pkcs8', format: 'pem' }) as string);
  return rows.findAccountKey(db, authority.directory, make);
}

/** One round of orders. It reads the directory and opens the account at most once, and only if it needs them. */
export function createDesk({ db, log, box, authority, names }: DeskOptions, signal: AbortSignal) {
  const { directory, email } = authority;
  let offered: Promise<Directory> | undefined;
  let opened: Promise<Session> | undefined;
  const offers = () => (offered ??= readDirectory(directory, signal));
  const openAccount = async () => {
    const sealed = await accountKey(db, { box, authority });
    return openSession(await offers(), { email, key: createPrivateKey(box.open(sealed)), signal });
  };

  async function order({ name, chain }: rows.Due): Promise<void> {
    const named = { directory, name };
    const { renewalInfo } = await offers();
    const replaces = renewalInfo && chain ? renewalIdOf(new X509Certificate(chain)) : null;
    const show = (keyAuthorization: string) => rows.showKeyAuthorization(db, named, keyAuthorization);
    opened ??= openAccount();
    const issued = await orderCertificate(await opened, { name, replaces, show, signal }).finally(() =>
      rows.showKeyAuthorization(db, named, null),
    );
    const certificate = new X509Certificate(issued.chain);
    const notAfter = certificate.validToDate;
    const renewAt = defaultTime(certificate);
    const lookAgainMs = renewalInfo ? 0 : null;
    await rows.storeCertificate(db, named, {
      chain: issued.chain,
      key: box.seal(issued.key),
      notAfter,
      renewAt,
      lookAgainMs,
    });
    log.info({ source: 'tls', name, until: notAfter, renewed: chain !== null }, 'received a certificate');
  }

  async function askAboutRenewal({ name, chain, renew_at }: rows.Due): Promise<void> {
    const { renewalInfo } = await offers();
    const certificate = new X509Certificate(chain ?? '');
    const told = renewalInfo ? await askRenewalInfo(renewalInfo, certificate, signal) : null;
    // A renewal window that ends after the expiry is ignored, so that there is always a valid certificate.
    const info = told && told.window.end <= certificate.validToDate ? told : null;
    const renewAt = info ? chooseTime(info.window, renew_at) : (renew_at ?? defaultTime(certificate));
    const lookAgainMs = renewalInfo ? (info?.askAgainMs ?? longestPauseMs) : null;
    await rows.noteRenewal(db, { directory, name }, { renewAt, lookAgainMs });
  }

  /**
   * Keeps the planned renewal if the authority does not answer. This does not count as a failure, because the
   * certificate is valid.
   */
  async function leaveAsPlanned({ name, chain, renew_at }: rows.Due): Promise<void> {
    offered = undefined;
    const renewAt = renew_at ?? defaultTime(new X509Certificate(chain ?? ''));
    await rows.noteRenewal(db, { directory, name }, { renewAt, lookAgainMs: longestPauseMs });
  }

  async function handle(due: rows.Due): Promise<void> {
    const named = { directory, name: due.name };
    try {
      if (!due.is_to_order) await askAboutRenewal(due).catch(() => leaveAsPlanned(due));
      else if (await names.holderOf(due.name)) await order(due);
      else await rows.putOff(db, named, { ms: dayMs, problem: null });
    } catch (error) {
      if (signal.aborted) return;
      // The directory or the session may have caused the failure, so the next name gets new ones.
      offered = undefined;
      opened = undefined;
      const problem = (error as Error).message;
      const asked = error instanceof AcmeError ? (error.retryAfterMs ?? 0) : 0;
      const ms = Math.max(asked, Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(due.failures, 10)));
      await rows.putOff(db, named, { ms, problem });
      const next_try = new Date(Date.now() + ms);
      log.warn({ source: 'tls', name: due.name, problem, next_try }, 'failed to obtain a certificate');
    }
  }

  return { handle };
}
