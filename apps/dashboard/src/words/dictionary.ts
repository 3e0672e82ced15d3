import { common } from './common.ts';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

type Sentence = string | ((...values: never[]) => string);
/** The same text in another language: a string, or a function with the same parameters. */
type Same<Said> = Said extends (...values: infer Values) => string ? (...values: Values) => string : string;

export type Dictionary<Words> = Record<Language, Words>;

type Common = { [Name in keyof typeof common]: string };
type Said<Words> = Omit<Common, keyof Words> & { [Name in keyof Words]: Same<Words[Name]> };

/** The texts of a screen, stored next to it. The compiler checks that no language lacks one. */
export function dictionary<Words extends Record<string, Sentence>>(
  words: {
    [Name in keyof Words]: readonly [en: Words[Name], de: Same<Words[Name]>];
  },
): Dictionary<Said<Words>> {
  const said = Object.entries<readonly [en: unknown, de: unknown]>({ ...common, ...words });
  const en = Object.fromEntries(said.map(([name, [english]]) => [name, english]));
  const de = Object.fromEntries(said.map(([name, [, german]]) => [name, german]));
  return { en, de } as Dictionary<Said<Words>>;
}
