import { LanguageDescription, type LanguageSupport } from '@codemirror/language';
import { languages } from '@codemirror/language-data';

const descriptionOf = (path: string) =>
  LanguageDescription.matchFilename(languages, path.slice(path.lastIndexOf('/') + 1));

/** The name of the language of a file, which is a proper noun. */
export const languageOf = (path: string): string | undefined => descriptionOf(path)?.name;

/** Each language is a separate file, loaded when the first file of its kind is shown. */
export async function loadLanguage(path: string): Promise<LanguageSupport | null> {
  const description = descriptionOf(path);
  return description ? description.load().catch(() => null) : null;
}
