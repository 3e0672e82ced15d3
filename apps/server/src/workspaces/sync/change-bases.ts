import { diffTexts } from '../../collaboration/texts/index.ts';

/** The most characters of texts that are compared to find the base of a change. A comparison blocks the event loop. */
const longestCompared = 2 ** 20;

/**
 * The content on which a program's change is based. If a program read a file before the service wrote it, and writes
 * the file afterwards, its change does not contain the service's content. So the base is the content from which the
 * change differs least. Otherwise it would look as if the program had removed what others wrote.
 */
export function baseOf(bases: (Buffer | null)[], content: Buffer | null): Buffer | null {
  const [latest = null, ...former] = bases;
  const after = textOf(content);
  if (after === null || former.length === 0 || after.length > longestCompared) return latest;
  const costs = [latest, ...former].map((base) => {
    const before = textOf(base);
    const pieces = before === null || before.length > longestCompared ? null : diffTexts(before, after);
    const cost = pieces?.reduce((sum, { from, to, insert }) => sum + (to - from) + insert.length, 0);
    return { base, cost: cost ?? Number.POSITIVE_INFINITY };
  });
  return costs.reduce((best, one) => (one.cost < best.cost ? one : best)).base;
}

/** The content as text. Null if it is not text. */
export function textOf(content: Buffer | null): string | null {
  if (content === null || content.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}
