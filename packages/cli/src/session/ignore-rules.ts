import { type NameGlob, nameGlobOf, nameMatches, type PathGlob, pathMatches, type Steps } from './glob.ts';

/**
 * One line of an ignore file. A glob for one name applies at every depth. A glob for a path starts at the file's
 * directory.
 */
type Rule = { isTakenBack: boolean; isForDirectories: boolean; name?: NameGlob; path?: PathGlob };

export type Rules = readonly Rule[];

/** The lines of an ignore file, as git reads them. The time to match a path is at most proportional to their length. */
export const rulesOf = (text: string): Rules =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => ruleOf(line) ?? []);

/** The rules without the lines that include files again. */
export const onlyIgnoring = (rules: Rules): Rules => rules.filter(({ isTakenBack }) => !isTakenBack);

/** The last matching line decides. Undefined if no line matches. `relative` ends with a slash for a directory. */
export function decisionOf(rules: Rules, relative: string, steps: Steps): 'ignored' | 'taken back' | undefined {
  const isDirectory = relative.endsWith('/');
  const names = (isDirectory ? relative.slice(0, -1) : relative).split('/');
  const last = names.at(-1) ?? '';
  for (let at = rules.length - 1; at >= 0; at -= 1) {
    const { isTakenBack, isForDirectories, name, path } = rules[at] as Rule;
    steps.left -= 1;
    if (isForDirectories && !isDirectory) continue;
    const isMeant = name ? nameMatches(name, last, steps) : pathMatches(path ?? [], names, steps);
    if (isMeant) return isTakenBack ? 'taken back' : 'ignored';
  }
  return undefined;
}

function ruleOf(line: string): Rule | null {
  if (line.startsWith('#')) return null;
  const isTakenBack = line.startsWith('!');
  const trimmed = withoutSpacesAtEnd(isTakenBack ? line.slice(1) : line);
  const isForDirectories = trimmed.endsWith('/');
  const text = isForDirectories ? trimmed.slice(0, -1) : trimmed;
  if (text === '') return null;
  const about = { isTakenBack, isForDirectories };
  if (!text.includes('/')) {
    const name = nameGlobOf(text);
    return name && { ...about, name };
  }
  const path = pathGlobOf(text.replace(/^\//, '').split('/'));
  return path && { ...about, path };
}

/**
 * Two stars match any number of directories. At the end of a pattern, they match the contents of a directory but not
 * the directory itself.
 */
function pathGlobOf(names: readonly string[]): PathGlob | null {
  const parts: (NameGlob | '**')[] = [];
  for (const name of names) {
    const glob = name === '**' ? name : nameGlobOf(name);
    if (glob === null) return null;
    if (glob !== '**' || parts.at(-1) !== '**') parts.push(glob);
  }
  return parts.at(-1) === '**' ? [...parts, [null]] : parts;
}

/** Removes spaces at the end, except for a space after a backslash. */
function withoutSpacesAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ') end -= 1;
  let backslashes = 0;
  while (backslashes < end && text[end - 1 - backslashes] === '\\') backslashes += 1;
  return text.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}
