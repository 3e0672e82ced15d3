/** Accented forms of all letters. */
const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const accented = 'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž';
const letters = new Map([...plain].map((letter, index) => [letter, [...accented][index] ?? letter]));

/** The text with accents, and about a third longer. Values between braces stay. */
export const pseudoText = (text: string): string =>
  text
    .split(/(\{\w+\})/)
    .map((part, index) => (index % 2 === 0 ? longer(part) : part))
    .join('');

const longer = (text: string): string =>
  [...text].map((letter) => (letters.get(letter) ?? letter).repeat(/[aeiou]/.test(letter) ? 2 : 1)).join('');

type Said = (...values: unknown[]) => string;

/** Like `pseudoText`, for a sentence with values, which stay unchanged. */
export const pseudoSentence =
  (sentence: Said): Said =>
  (...values) => {
    const given = values.flatMap((value) =>
      typeof value === 'number' ? [value.toLocaleString('en'), String(value)] : [String(value)],
    );
    return outside(
      sentence(...values),
      given.filter((value) => value !== ''),
    );
  };

function outside(text: string, [value, ...others]: string[]): string {
  if (value === undefined) return pseudoText(text);
  return text
    .split(value)
    .map((part) => outside(part, others))
    .join(value);
}
