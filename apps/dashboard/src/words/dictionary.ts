import { common } from './common.ts';

/** The languages of every dictionary. The texts of another language are in its file in `translations/texts/`. */
export type Written = 'en' | 'de';

type Sentence = string | ((...values: never[]) => string);
/** The same text in another language: a string, or a function with the same parameters. */
export type Same<Said> = Said extends (...values: infer Values) => string ? (...values: Values) => string : string;

/**
 * Texts in the written languages. Files with translations refer to a dictionary by its id. `names` are the names of its
 * own texts, without the common ones.
 */
export type Dictionary<Words, Id extends string = string, Name extends keyof Words = keyof Words> = Readonly<
  Record<Written, Words>
> & { readonly id: Id; readonly names: readonly Name[] };

type Common = { [Name in keyof typeof common]: string };
type Said<Words> = Omit<Common, keyof Words> & { [Name in keyof Words]: Same<Words[Name]> };

/**
 * The texts of a screen, stored next to it. The id is the folder and the name of the constant. The compiler checks that
 * no language lacks a text.
 */
export function dictionary<const Id extends string, Words extends Record<string, Sentence>>(
  id: Id,
  words: {
    [Name in keyof Words]: readonly [en: Words[Name], de: Same<Words[Name]>];
  },
): Dictionary<Said<Words>, Id, keyof Words & keyof Said<Words>> {
  const said = Object.entries<readonly [en: unknown, de: unknown]>({ ...common, ...words });
  const en = Object.fromEntries(said.map(([name, [english]]) => [name, english]));
  const de = Object.fromEntries(said.map(([name, [, german]]) => [name, german]));
  return { id, names: Object.keys(words), en, de } as unknown as Dictionary<
    Said<Words>,
    Id,
    keyof Words & keyof Said<Words>
  >;
}

/** Like `dictionary`, for texts that are already tables by language. */
export const dictionaryOf = <const Id extends string, Name extends string>(
  id: Id,
  words: { en: Readonly<Record<Name, string>>; de: Readonly<Record<NoInfer<Name>, string>> },
): Dictionary<Readonly<Record<Name, string>>, Id> => ({ id, names: Object.keys(words.en) as Name[], ...words });
