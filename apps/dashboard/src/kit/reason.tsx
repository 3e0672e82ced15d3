import { filled, type ReasonCode } from '@bottega/contract';
import { useLanguage, useWords } from '../words/words.tsx';
import { reasonWords } from './reasons.words.ts';

/** A sentence of the service in a field, with the fields beside it that have its code and its values. */
export type Coded<Field extends string> = { readonly [Name in Field]?: string | null } & {
  readonly [Name in `${Field}_code`]?: string | null;
} & { readonly [Name in `${Field}_values`]?: Readonly<Record<string, string>> };

/** Why something failed. What has no code, or a code that is newer than this page, is shown as the service says it. */
export function Reason<Field extends string>({ field, of }: { field: Field; of: Coded<Field> }) {
  const words = useWords(reasonWords);
  const isEnglish = useLanguage() === 'en';
  const said = reasonIn(words, field, of);
  return said === null ? <span {...(!isEnglish && { lang: 'en' })}>{of[field]}</span> : said;
}

/** The same as a text. Null if only the service has words for it. */
export function reasonIn<Field extends string>(
  words: Readonly<Record<ReasonCode, string>>,
  field: Field,
  of: Coded<Field>,
): string | null {
  const code = of[`${field}_code`] as string | null | undefined;
  if (!code || !Object.hasOwn(words, code)) return null;
  return filled(words[code as ReasonCode], of[`${field}_values`] ?? {});
}
