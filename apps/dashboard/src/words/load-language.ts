import type { Language } from './languages.ts';
import type { TextsById } from './merged.ts';
import { loaded } from './translated.ts';

/**
 * The files of languages. Each is loaded only by users who chose that language. The compiler checks the texts in these
 * files themselves.
 */
const files = import.meta.glob<TextsById>('../translations/texts/*.ts', { import: 'default' });
const pseudo =
  import.meta.env.MODE === 'production'
    ? {}
    : import.meta.glob<TextsById>('../translations/pseudo/*.ts', { import: 'default' });

export const isReady = (language: Language): boolean => language === 'en' || language === 'de' || loaded.has(language);

/** A language that cannot be loaded is shown in English: a page without any text would be worse. */
export async function loadLanguage(language: Language): Promise<void> {
  const load = files[`../translations/texts/${language}.ts`] ?? pseudo[`../translations/pseudo/${language}.ts`];
  try {
    const [texts, { translatedBy }] = await Promise.all([load?.(), import('./merged.ts')]);
    if (texts) loaded.set(language, translatedBy(texts));
  } catch (error) {
    reportError(error);
  }
  if (!loaded.has(language)) loaded.set(language, ({ en }) => en);
}
