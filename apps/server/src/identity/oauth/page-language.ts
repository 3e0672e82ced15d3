import type { FastifyRequest } from 'fastify';
import type { Db } from '../../foundation/db/index.ts';
import { acceptedLanguage, type Language, languageOf } from '../../foundation/http/answers/accepted-language.ts';
import type { SignedIn } from '../auth/index.ts';
import { findUser } from '../users/index.ts';

export type PageLanguage = (request: FastifyRequest) => Promise<Language>;

type Parts = { db: Db; signedIn(request: FastifyRequest): Promise<SignedIn | null> };

/**
 * The language of a page. As in the dashboard, it is that of the signed-in account, or otherwise that of the browser.
 */
export function pageLanguage({ db, signedIn }: Parts): PageLanguage {
  async function preferred(request: FastifyRequest): Promise<string | undefined> {
    const user = await signedIn(request);
    return user ? (await findUser(db, user.principal.userId))?.language : undefined;
  }
  return async (request) => {
    const tag = await preferred(request).catch(() => undefined);
    return tag === undefined ? acceptedLanguage(request.headers['accept-language']) : (languageOf(tag) ?? 'en');
  };
}
