import { MantineThemeProvider, useMantineColorScheme } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useSession } from '../api/session.ts';
import type { Language } from '../words/dictionary.ts';
import { LanguageProvider, languageOf } from '../words/words.tsx';

const rememberedLanguage = 'bottega-language';

/** The only text that Mantine's components need by default: the label of a close button. */
const closing = (label: string) => ({ components: { CloseButton: { defaultProps: { 'aria-label': label } } } });
const inLanguage: Record<Language, ReturnType<typeof closing>> = { en: closing('Close'), de: closing('Schließen') };

/** Applies the theme and language of the signed-in user, or those of the browser if nobody is signed in. */
export function Preferences({ children }: { children: ReactNode }) {
  const preferences = useSession()?.user.preferences;
  const { setColorScheme } = useMantineColorScheme();
  const theme = preferences?.theme;
  useEffect(() => {
    if (theme) setColorScheme(theme === 'system' ? 'auto' : theme);
  }, [theme, setColorScheme]);

  const language = languageOf(preferences?.language ?? localStorage.getItem(rememberedLanguage) ?? navigator.language);
  useEffect(() => {
    document.documentElement.lang = language;
    // Stored, so that the sign-in screen uses the same language.
    if (preferences) localStorage.setItem(rememberedLanguage, language);
  }, [language, preferences]);

  return (
    <LanguageProvider language={language}>
      <MantineThemeProvider theme={inLanguage[language]}>{children}</MantineThemeProvider>
    </LanguageProvider>
  );
}
