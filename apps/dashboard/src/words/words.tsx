import { createContext, type ReactNode, useContext } from 'react';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

type Sentence = string | ((...values: never[]) => string);
/** What every language has to say: the same names, and functions of the same values. */
type Same<Words> = {
  [Name in keyof Words]: Words[Name] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : string;
};

export type Dictionary<Words> = { en: Words } & Record<Exclude<Language, 'en'>, Same<Words>>;

/** A screen's words, beside the screen. The compiler sees to it that no language lacks one. */
export const dictionary = <const Words extends Record<string, Sentence>>(words: {
  en: Words;
  de: Same<Words>;
}): Dictionary<Words> => words;

const LanguageContext = createContext<Language>('en');

export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

export const useLanguage = (): Language => useContext(LanguageContext);

export function useWords<Words>(words: Dictionary<Words>): Same<Words> {
  const language = useLanguage();
  return (language === 'en' ? words.en : words[language]) as Same<Words>;
}

/** The language of a BCP 47 tag that we speak, else English. */
export function languageOf(tag: string | undefined): Language {
  const [first = ''] = (tag ?? '').toLowerCase().split('-');
  return first in languages ? (first as Language) : 'en';
}
