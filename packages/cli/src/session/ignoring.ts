import ignore, { type Ignore } from 'ignore';
import { readBelow } from '../files/below.ts';

const fileNames = ['.gitignore', '.btgignore'];
const largest = 1024 * 1024;

/** Rules of one directory, for what is below it. */
type Rules = { prefix: string; rules: Ignore };

/** What is left alone: rules of directories, the outer ones first. The nearest that says anything decides. */
export type Ignoring = readonly Rules[];

/** Adds what the ignore files of a directory say. `prefix` is empty for the folder itself, else ends with a slash. */
export async function withRulesOf(root: string, prefix: string, outer: Ignoring): Promise<Ignoring> {
  const texts = await Promise.all(
    fileNames.map((name) => readBelow({ root, path: `${prefix}${name}` }, largest).catch(() => null)),
  );
  const found = texts.filter((text) => text !== null).map(String);
  return found.length === 0 ? outer : [...outer, { prefix, rules: ignore().add(found.join('\n')) }];
}

/** `relative` has slashes, and one at its end where it is a directory. */
export function isIgnored(ignoring: Ignoring, relative: string): boolean {
  for (const { prefix, rules } of ignoring.toReversed()) {
    if (!relative.startsWith(prefix)) continue;
    const { ignored, unignored } = rules.test(relative.slice(prefix.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
