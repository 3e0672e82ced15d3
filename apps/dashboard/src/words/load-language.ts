import type { Language } from './languages.ts';
import { loaded } from './translated.ts';
import type { Translation } from './translation.ts';

/** The files of languages, which only those load who chose one. */
const files: Record<string, () => Promise<Translation>> = import.meta.glob<Translation>('./translations/*.ts', {
  import: 'default',
});
const fileOf = (language: Language): string => `./translations/${language}.ts`;
if (import.meta.env.MODE !== 'production') {
  files[fileOf('en-XA')] = () => import('./pseudo.ts').then(({ pseudo }) => pseudo);
}

export const isReady = (language: Language): boolean => language === 'en' || language === 'de' || loaded.has(language);

/** A language that cannot be loaded is shown in English: a page without any text would be worse. */
export async function loadLanguage(language: Language): Promise<void> {
  try {
    const [texts, { translatedBy }] = await Promise.all([files[fileOf(language)]?.(), import('./merged.ts')]);
    if (texts) loaded.set(language, translatedBy(texts));
  } catch (error) {
    reportError(error);
  }
  if (!loaded.has(language)) loaded.set(language, ({ en }) => en);
}
