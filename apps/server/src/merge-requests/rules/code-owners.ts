import type { Budget } from '../../foundation/concurrency/budget.ts';
import {
  compilePathPattern,
  matchesAny,
  type PathPattern,
  stepsToMatch,
} from '../../foundation/text-search/path-patterns.ts';

/** A line of the file CODEOWNERS: a pattern of files, and the people of whom one should approve changes to them. */
export type OwnersLine = { number: number; pattern: PathPattern; owners: readonly string[] };

/**
 * The lines, grouped by a part that every matching path contains, so that a path is compared with only a few of
 * thousands of lines. Each list is in the order of the file.
 */
export type OwnersFile = ReadonlyMap<string, readonly OwnersLine[]>;

/** The largest file, and the most lines and other parts that it may contain. */
export const largestOwnersFile = 3 * 2 ** 20;
const maxLines = 5_000;
const longestLine = 10_000;
const longestPattern = 1_024;

/** Parses the file, or returns why it cannot be used. Lines that GitHub would ignore are ignored here too. */
export async function readOwnersFile(
  text: string,
  { maybeYield }: Pick<Budget, 'maybeYield'>,
): Promise<OwnersFile | string> {
  const lines = text.split('\n', maxLines + 2);
  if (lines.length > maxLines + 1) return `it has more than ${maxLines} lines`;
  const file = new Map<string, OwnersLine[]>();
  for (const [index, line] of lines.entries()) {
    await maybeYield();
    const number = index + 1;
    if (line.length > longestLine) return `line ${number} has more than ${longestLine} characters`;
    const [pattern, ...owners] = wordsOf(line);
    if (pattern === undefined || /^!|[[\]]/.test(pattern) || pattern.includes('\0')) continue;
    if (pattern.length > longestPattern)
      return `line ${number} has a pattern of more than ${longestPattern} characters`;
    const parts = partsOf(pattern);
    const key = keyOf(parts);
    const same = file.get(key) ?? [];
    same.push({ number, pattern: compilePathPattern(parts.join('/')), owners });
    file.set(key, same);
  }
  return file;
}

/** Words are separated by blanks, except after a backslash. A word that begins with `#` begins a comment. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:\\.|[^\s\\])+/g)) {
    if (word.startsWith('#')) break;
    words.push(word.replaceAll(/\\(.)/g, '$1'));
  }
  return words;
}

/**
 * The parts of a path pattern. As git ignores files: a pattern without a slash in it is for every depth, and a directory
 * includes all below it. Only `dir/*` is for the files in that directory alone.
 */
function partsOf(pattern: string): string[] {
  const isDirectory = pattern.endsWith('/');
  const inner = isDirectory ? pattern.slice(0, -1) : pattern;
  const named = inner.split('/').filter((part) => part !== '');
  const anchored = inner.includes('/') ? named : ['**', ...named];
  if (isDirectory) return [...anchored, '**', '*'];
  return anchored.at(-1) === '*' && inner !== '*' ? anchored : [...anchored, '**'];
}

const isLiteral = (part: string): boolean => !/[*?]/.test(part);
const anywhere = '';
const named = (name: string): string => `named ${name}`;
const below = (directory: string): string => `below ${directory}`;

function keyOf(parts: readonly string[]): string {
  const [first, second] = parts;
  if (first === '**') return second !== undefined && isLiteral(second) ? named(second) : anywhere;
  const end = parts.findIndex((part) => !isLiteral(part));
  return below(parts.slice(0, end < 0 ? parts.length : end).join('/'));
}

/** The last line that matches this path. Null if none does. */
export async function lineFor(file: OwnersFile, path: string, budget: Budget): Promise<OwnersLine | null> {
  const names = path.slice(1).split('/');
  const beginnings = names.map((_, index) => names.slice(0, index + 1).join('/'));
  budget.spend({ entries: names.length });
  const keys = [anywhere, below(''), ...beginnings.map(below), ...[...new Set(names)].map(named)];
  let last: OwnersLine | undefined;
  for (const key of keys) last = (await lastIn(file.get(key) ?? [], path, last?.number ?? 0, budget)) ?? last;
  return last ?? null;
}

/** How many patterns are compared between two pauses. */
const atOnce = 64;

async function lastIn(
  lines: readonly OwnersLine[],
  path: string,
  after: number,
  { maybeYield, spend }: Budget,
): Promise<OwnersLine | null> {
  for (let index = lines.length - 1; index >= 0; index--) {
    if (index % atOnce === 0) await maybeYield();
    const line = lines[index] as OwnersLine;
    if (line.number < after) return null;
    spend({ entries: stepsToMatch([line.pattern], path) });
    if (matchesAny([line.pattern], path)) return line;
  }
  return null;
}
