import type { Dictionary } from './dictionary.ts';

export type Translated = <Words>(dictionary: Dictionary<Words>) => Words;

/** The languages that were loaded, beyond those of the dictionaries. */
export const loaded = new Map<string, Translated>();

/** The texts of a dictionary, in English if the language is not loaded. */
export const wordsOf = <Words>(dictionary: Dictionary<Words>, language: string): Words =>
  language === 'de' ? dictionary.de : (loaded.get(language)?.(dictionary) ?? dictionary.en);
