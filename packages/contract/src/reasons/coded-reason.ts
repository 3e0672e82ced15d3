import { Type } from 'typebox';
import { type ReasonCode, reasons } from './reasons.ts';

/** The names between the braces of a sentence. */
type ValueName<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValueName<Rest>
  : never;
type Values<Code extends ReasonCode> =
  ValueName<(typeof reasons)[Code]> extends never
    ? []
    : [values: Record<ValueName<(typeof reasons)[Code]>, string | number>];

/** The sentence of the service for a reason. */
export const reasonSentence = <Code extends ReasonCode>(code: Code, ...values: Values<Code>): string =>
  filled(reasons[code], Object.assign({}, ...values));

/** A sentence with its values, in any language. A value that is missing stays between its braces. */
export const filled = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  partsOf(sentence)
    .map((part, index) => (index % 2 === 0 ? part : String(values[part] ?? `{${part}}`)))
    .join('');

/** The texts between the values at even places, and the names of the values at odd ones. */
const partsOf = (sentence: string): string[] => sentence.split(/\{(\w+)\}/);

type Sentences = Readonly<Record<string, string>>;
type Code<Known extends Sentences> = keyof Known & string;
type Found<Known extends Sentences> = { code: Code<Known>; values: Record<string, string> };

/**
 * The code of a stored sentence, and its values. Null if it is none of these, such as the words of somebody's program.
 * If several sentences fit, the one that says most by itself is meant.
 */
export function reasonOf<Known extends Sentences>(known: Known, sentence: string): Found<Known> | null {
  let best: Found<Known> | null = null;
  let most = 0;
  for (const code of Object.keys(known) as Code<Known>[]) {
    const parts = partsOf(known[code] ?? '');
    const own = parts.reduce((sum, part, index) => sum + (index % 2 === 0 ? part.length : 0), 0);
    const values = own > most ? valuesIn(parts, sentence) : null;
    if (values === null) continue;
    best = { code, values };
    most = own;
  }
  return best;
}

function valuesIn([first = '', ...parts]: string[], sentence: string): Record<string, string> | null {
  if (!sentence.startsWith(first)) return null;
  const values: Record<string, string> = {};
  let from = first.length;
  for (let index = 0; index < parts.length; index += 2) {
    const [name = '', next = ''] = parts.slice(index, index + 2);
    const isLast = index + 2 === parts.length;
    // The last text has to be at the end. What follows a value without any text is the rest of the sentence.
    const to = isLast ? sentence.length - next.length : sentence.indexOf(next, from);
    if (to <= from || !sentence.startsWith(next, to)) return null;
    values[name] = sentence.slice(from, to);
    from = to + next.length;
  }
  return from === sentence.length ? values : null;
}

const codeIn = <Known extends Sentences>(known: Known, field: string) =>
  Type.Union([Type.Enum(Object.keys(known) as Code<Known>[]), Type.Null()], {
    description: `What \`${field}\` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added.`,
  });

const valuesOfCode = (field: string) =>
  Type.Record(Type.String(), Type.String(), {
    description: `The values in \`${field}\` that its code does not say, by name`,
  });

type Schemas<Field extends string, Known extends Sentences> = Record<
  `${Field}_code`,
  ReturnType<typeof codeIn<Known>>
> &
  Record<`${Field}_values`, ReturnType<typeof valuesOfCode>>;

/** The two fields beside a sentence, of which the code is one of these. */
export const codeOfField = <Field extends string, Known extends Sentences>(
  field: Field,
  known: Known,
): Schemas<Field, Known> =>
  ({ [`${field}_code`]: codeIn(known, field), [`${field}_values`]: valuesOfCode(field) }) as Schemas<Field, Known>;

type Coded<Field extends string, Known extends Sentences> = Record<`${Field}_code`, Code<Known> | null> &
  Record<`${Field}_values`, Record<string, string>>;

/** The same fields of a response, for what is stored. */
export function codedAs<Field extends string, Known extends Sentences>(
  field: Field,
  known: Known,
  sentence: string | null | undefined,
): Coded<Field, Known> {
  const found = sentence ? reasonOf(known, sentence) : null;
  return { [`${field}_code`]: found?.code ?? null, [`${field}_values`]: found?.values ?? {} } as Coded<Field, Known>;
}
