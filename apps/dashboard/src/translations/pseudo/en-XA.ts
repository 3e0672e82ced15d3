import { common } from '../../words/common.ts';
import { pseudoSentence, pseudoText } from '../pseudo-text.ts';
import type { Translation } from '../translation.ts';

type Texts = Record<string, string | ((...values: unknown[]) => string)>;
type One = { id: string; names: string[]; en: Texts };

const modules = import.meta.glob<Record<string, unknown>>('../../**/*.words.ts', { eager: true });
const isDictionary = (value: unknown): value is One => typeof value === 'object' && value !== null && 'names' in value;
const dictionaries = Object.values(modules).flatMap((module) => Object.values(module).filter(isDictionary));

const pseudoOf = (text: Texts[string] | undefined) =>
  typeof text === 'function' ? pseudoSentence(text) : pseudoText(text ?? '');

const texts = Object.fromEntries([
  ['words/common', Object.fromEntries(Object.entries(common).map(([name, [english]]) => [name, pseudoText(english)]))],
  ...dictionaries.map(({ id, names, en }) => [id, Object.fromEntries(names.map((name) => [name, pseudoOf(en[name])]))]),
]);

/** A translation that is made from English, so it always has all texts. */
export default texts as unknown as Translation;
