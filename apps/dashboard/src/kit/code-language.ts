import { LanguageDescription, type LanguageSupport } from '@codemirror/language';
import { languages } from '@codemirror/language-data';

/** Each language is a separate file, loaded when the first file of its kind is shown. */
export async function loadLanguage(path: string): Promise<LanguageSupport | null> {
  const description = LanguageDescription.matchFilename(languages, path.slice(path.lastIndexOf('/') + 1));
  return description ? description.load().catch(() => null) : null;
}
