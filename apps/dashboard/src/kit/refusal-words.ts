import type { Language } from '../words/languages.ts';
import { wordsOf } from '../words/translated.ts';
import { refusalWords } from './refusal.words.ts';

/**
 * The meaning of an error code. The service's messages are in English and say more than the code. So they are the title
 * in English, and are shown below the title in other languages. Null if the service's own message is better: in English,
 * or for a code that is newer than this page.
 */
export function wordsOfCode(code: string, language: Language): string | null {
  const isKnown = (refusalWords.names as readonly string[]).includes(code);
  return language === 'en' || !isKnown ? null : wordsOf(refusalWords, language)[code as keyof typeof refusalWords.en];
}
