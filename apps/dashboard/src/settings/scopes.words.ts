import { type Scope, scopeMeanings, scopeMeaningsInGerman } from '@bottega/contract';
import type { Dictionary } from '../words/dictionary.ts';

/** What each scope allows, in the words of the consent page. */
export const scopeWords: Dictionary<Record<Scope, string>> = { en: scopeMeanings, de: scopeMeaningsInGerman };
