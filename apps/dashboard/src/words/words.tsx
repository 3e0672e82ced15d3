import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Dictionary } from './dictionary.ts';
import type { Language } from './languages.ts';
import { isReady, loadLanguage } from './load-language.ts';
import { wordsOf } from './translated.ts';

const LanguageContext = createContext<Language>('en');

/** Provides the language. Until a new language is loaded, the previous one stays. */
export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  const [shown, show] = useState<Language>(isReady(language) ? language : 'en');
  useEffect(() => {
    if (isReady(language)) return;
    let isWanted = true;
    void loadLanguage(language).then(() => isWanted && show(language));
    return () => {
      isWanted = false;
    };
  }, [language]);
  return <LanguageContext value={isReady(language) ? language : shown}>{children}</LanguageContext>;
}

export const useLanguage = (): Language => useContext(LanguageContext);

export const useWords = <Words,>(words: Dictionary<Words>): Words => wordsOf(words, useLanguage());
