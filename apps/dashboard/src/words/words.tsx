import { createContext, type ReactNode, useContext } from 'react';
import { type Dictionary, type Language, languages } from './dictionary.ts';

const LanguageContext = createContext<Language>('en');

export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

export const useLanguage = (): Language => useContext(LanguageContext);

export const useWords = <Words,>(words: Dictionary<Words>): Words => words[useLanguage()];

/** The supported language for a BCP 47 tag, or English if there is none. */
export function languageOf(tag: string | undefined): Language {
  const [first = ''] = (tag ?? '').toLowerCase().split('-');
  return first in languages ? (first as Language) : 'en';
}
