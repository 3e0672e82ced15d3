import { MantineThemeProvider, useMantineColorScheme } from '@mantine/core';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useSession } from '../api/session.ts';
import { kitWords } from '../kit/kit.words.ts';
import { languageOf } from '../words/languages.ts';
import { LanguageProvider, useWords } from '../words/words.tsx';

const rememberedLanguage = 'bottega-language';

/** The language of the last person who was signed in here, or of the browser. */
export const languageBeforeSignIn = () => languageOf(localStorage.getItem(rememberedLanguage) ?? navigator.language);

/** Applies the theme and language of the signed-in user, or those of the browser if nobody is signed in. */
export function Preferences({ children }: { children: ReactNode }) {
  const preferences = useSession()?.user.preferences;
  const { setColorScheme } = useMantineColorScheme();
  const theme = preferences?.theme;
  useEffect(() => {
    if (theme) setColorScheme(theme === 'system' ? 'auto' : theme);
  }, [theme, setColorScheme]);

  const language = preferences ? languageOf(preferences.language) : languageBeforeSignIn();
  useEffect(() => {
    document.documentElement.lang = language;
    // Stored, so that the sign-in screen uses the same language.
    if (preferences) localStorage.setItem(rememberedLanguage, language);
  }, [language, preferences]);

  return (
    <LanguageProvider language={language}>
      <Closing>{children}</Closing>
    </LanguageProvider>
  );
}

/** The only text that Mantine's components need by default: the label of a close button. */
function Closing({ children }: { children: ReactNode }) {
  const { close } = useWords(kitWords);
  const theme = useMemo(() => ({ components: { CloseButton: { defaultProps: { 'aria-label': close } } } }), [close]);
  return <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>;
}
