import type { Db } from '../../foundation/db/index.ts';
import type { Credential } from '../../foundation/http/index.ts';
import { findPerson } from '../state/index.ts';
import { credentialOf, type Pass } from './passes.ts';

type Options = { db: Db; credentialsHold(credentials: Credential[]): Promise<boolean[]> };

/**
 * A page loads hundreds of files, so the answer is remembered. This is also the longest delay until a revocation takes
 * effect.
 */
const rememberMs = 1_000;

/**
 * Returns a function that tells whether a pass still holds: its account may still act, and the credential that it was
 * made with is still valid.
 */
export function createHeldPasses({ db, credentialsHold }: Options): (pass: Pass) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();

  async function look(pass: Pass): Promise<boolean> {
    if (!(await findPerson(db, pass.user))) return false;
    // A service account's tokens end by themselves after a short time, and no row says whether one is valid.
    if (pass.by.kind === 'service_account') return true;
    const [holds = false] = await credentialsHold([credentialOf(pass)]);
    return holds;
  }

  return (pass) => {
    const key = JSON.stringify([pass.user, pass.by]);
    const held = known.get(key) ?? look(pass);
    if (!known.has(key)) {
      known.set(key, held);
      setTimeout(() => known.delete(key), rememberMs).unref();
    }
    return held;
  };
}
