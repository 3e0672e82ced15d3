import type { Language } from '../words/languages.ts';
import { wordsOf } from '../words/translated.ts';
import { refusalWords } from './refusal.words.ts';

/**
 * The meaning of an error code in the user's language, as a title. The service's own message is in English and more
 * specific, and it is shown below. Null if the service's message is to be the title itself: in English, or for a code
 * that is newer than this page.
 */
export function wordsOfCode(code: string, language: Language): string | null {
  const isKnown = (refusalWords.names as readonly string[]).includes(code);
  return language === 'en' || !isKnown ? null : wordsOf(refusalWords, language)[code as keyof typeof refusalWords.en];
}
