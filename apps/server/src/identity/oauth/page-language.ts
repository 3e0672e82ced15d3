import type { FastifyRequest } from 'fastify';
import type { Db } from '../../foundation/db/index.ts';
import type { SignedIn } from '../auth/index.ts';
import { findUser } from '../users/index.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export type PageLanguage = (request: FastifyRequest) => Promise<Language>;

type Parts = { db: Db; signedIn(request: FastifyRequest): Promise<SignedIn | null> };

/** As the dashboard chooses it: that of the account that is signed in, of the browser while nobody is or can be asked. */
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

/** RFC 9110 12.5.4: the one of ours that the browser wants most; English where it wants none. */
export function acceptedLanguage(header = ''): Language {
  const wanted = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((one) => one.trim());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
    return { language: languageOf(tag), weight: Number(weight) };
  });
  const [first] = wanted.filter(({ language, weight }) => language && weight > 0).sort((a, b) => b.weight - a.weight);
  return first?.language ?? 'en';
}

const languageOf = (tag: string): Language | undefined =>
  languages.find((language) => language === tag.toLowerCase().split('-', 1)[0]);
