import { scopeMeanings, scopeMeaningsInGerman } from '@bottega/contract';
import { dictionaryOf } from '../words/dictionary.ts';

/** What each scope allows, in the words of the consent page. */
export const scopeWords = dictionaryOf('settings/scope', { en: scopeMeanings, de: scopeMeaningsInGerman });
