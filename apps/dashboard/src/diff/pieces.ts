import { presentableDiff } from '@codemirror/merge';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { loadLanguage } from '../kit/code-language.ts';
import { endOfRun } from './diff-rows.ts';
import type { DiffLine } from './parse-diff.ts';

/** A part of a line with one look. */
export type Piece = { text: string; look: string | null; isChanged: boolean };

type Range = { from: number; to: number };
type Token = Range & { look: string };

/** Longest diff that is highlighted, in characters. A longer one would block the page. */
const longestHighlighted = 200_000;
/** Longest line in which changed words are marked. */
const longestCompared = 500;
/** Part of a line that has to stay the same. Otherwise the whole line is new, and marks would only confuse. */
const leastSame = 0.4;

const highlighter = tagHighlighter([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], class: 'code-keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], class: 'code-string' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: 'code-number' },
  { tag: [tags.comment, tags.meta], class: 'code-comment' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: 'code-function' },
  { tag: [tags.typeName, tags.className, tags.tagName, tags.heading], class: 'code-type' },
  { tag: [tags.attributeName, tags.propertyName, tags.labelName], class: 'code-property' },
]);

/** The lines of a diff with the colours of their language, and with the words that changed. */
export async function piecesOf(lines: readonly DiffLine[], path: string): Promise<Piece[][]> {
  const changed = changedWords(lines);
  const tokens = await tokensOf(lines, path);
  return lines.map(({ text }, index) => cut(text, tokens.get(index) ?? [], changed.get(index) ?? []));
}

/** Each side of a hunk is parsed as one text, so that strings and comments of several lines are recognised. */
async function tokensOf(lines: readonly DiffLine[], path: string): Promise<Map<number, Token[]>> {
  const found = new Map<number, Token[]>();
  const length = lines.reduce((sum, { text }) => sum + text.length, 0);
  const support = length > longestHighlighted ? null : await loadLanguage(path);
  if (!support) return found;
  for (const hunk of hunksOf(lines)) {
    for (const skipped of ['added', 'removed']) {
      const indexes = hunk.filter((index) => lines[index]?.kind !== skipped);
      const texts = indexes.map((index) => lines[index]?.text ?? '');
      const ends: number[] = [];
      for (const text of texts) ends.push((ends.at(-1) ?? -1) + 1 + text.length);
      let at = 0;
      highlightTree(support.language.parser.parse(texts.join('\n')), highlighter, (from, to, look) => {
        while (at < ends.length && (ends[at] ?? 0) <= from) at++;
        // A token may span several lines.
        for (let line = at; line < ends.length && startOf(ends, line) < to; line++) {
          const start = startOf(ends, line);
          const end = Math.min(to, ends[line] ?? 0) - start;
          const token = { from: Math.max(from - start, 0), to: end, look };
          const index = indexes[line];
          // Lines that are on both sides have their colours from the new one.
          const isElsewhere = skipped === 'added' && index !== undefined && lines[index]?.kind === 'same';
          if (index === undefined || isElsewhere || token.from >= token.to) continue;
          found.set(index, [...(found.get(index) ?? []), token]);
        }
      });
    }
  }
  return found;
}

const startOf = (ends: readonly number[], line: number): number => (line === 0 ? 0 : (ends[line - 1] ?? 0) + 1);

function hunksOf(lines: readonly DiffLine[]): number[][] {
  const hunks: number[][] = [];
  for (const [index, { kind, text }] of lines.entries()) {
    if (kind === 'place') {
      if (text.startsWith('@@')) hunks.push([]);
    } else hunks.at(-1)?.push(index);
  }
  return hunks;
}

/** Compares each removed line with the added line that replaces it. */
function changedWords(lines: readonly DiffLine[]): Map<number, Range[]> {
  const changed = new Map<number, Range[]>();
  for (let index = 0; index < lines.length; index++) {
    if (lines[index]?.kind !== 'removed') continue;
    const added = endOfRun(lines, index, 'removed');
    const pairs = Math.min(added - index, endOfRun(lines, added, 'added') - added);
    for (let step = 0; step < pairs; step++) {
      const [a = '', b = ''] = [lines[index + step]?.text, lines[added + step]?.text];
      const changes = a.length > longestCompared || b.length > longestCompared ? [] : presentableDiff(a, b);
      const same = a.length - changes.reduce((sum, { fromA, toA }) => sum + toA - fromA, 0);
      if (same < leastSame * Math.max(a.trim().length, b.trim().length)) continue;
      changed.set(
        index + step,
        changes.map(({ fromA, toA }) => ({ from: fromA, to: toA })),
      );
      changed.set(
        added + step,
        changes.map(({ fromB, toB }) => ({ from: fromB, to: toB })),
      );
    }
    index = added - 1;
  }
  return changed;
}

function cut(text: string, tokens: readonly Token[], changed: readonly Range[]): Piece[] {
  const bounds = new Set([0, text.length, ...[...tokens, ...changed].flatMap(({ from, to }) => [from, to])]);
  const places = [...bounds].sort((one, other) => one - other);
  return places.slice(0, -1).map((from, index) => ({
    text: text.slice(from, places[index + 1]),
    look: tokens.find((token) => token.from <= from && from < token.to)?.look ?? null,
    isChanged: changed.some((range) => range.from <= from && from < range.to),
  }));
}
