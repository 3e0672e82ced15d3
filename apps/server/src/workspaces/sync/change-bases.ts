import { diffTexts } from '../../collaboration/texts/index.ts';

/** Characters of a text that is compared with what it may have begun from. A comparison blocks the event loop. */
const longestCompared = 2 ** 20;

/**
 * What a program's change began from. A program that read a file before the service wrote it, and writes it afterwards,
 * knows nothing of the new content. So the change began from the content that it differs from least. Otherwise it would
 * look as if the program had removed what others wrote.
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

/** Null if it is not text. */
export function textOf(content: Buffer | null): string | null {
  if (content === null || content.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}
