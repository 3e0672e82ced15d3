import { filled, type ReasonCode } from '@bottega/contract';
import { useLanguage, useWords } from '../words/words.tsx';
import { reasonWords } from './reasons.words.ts';

/**
 * An object with a sentence of the service in one field, and with the code and the values of the sentence in fields
 * beside it.
 */
export type Coded<Field extends string> = { readonly [Name in Field]?: string | null } & {
  readonly [Name in `${Field}_code`]?: string | null;
} & { readonly [Name in `${Field}_values`]?: Readonly<Record<string, string>> };

/**
 * Shows why something failed, in the user's language. A reason without a code, or with a code that is newer than this
 * page, is shown in the words of the service.
 */
export function Reason<Field extends string>({ field, of }: { field: Field; of: Coded<Field> }) {
  const words = useWords(reasonWords);
  const isEnglish = useLanguage() === 'en';
  const said = reasonIn(words, field, of);
  return said === null ? <span {...(!isEnglish && { lang: 'en' })}>{of[field]}</span> : said;
}

/** Like `Reason`, but returns a text. Null if only the service has words for the reason. */
export function reasonIn<Field extends string>(
  words: Readonly<Record<ReasonCode, string>>,
  field: Field,
  of: Coded<Field>,
): string | null {
  const code = of[`${field}_code`] as string | null | undefined;
  if (!code || !Object.hasOwn(words, code)) return null;
  return filled(words[code as ReasonCode], of[`${field}_values`] ?? {});
}
