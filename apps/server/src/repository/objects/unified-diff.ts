import { diffLines, type Hunk } from './diff-lines.ts';

export type UnifiedDiffInput = {
  /** Null if the file is created. Paths have no leading slash. */
  oldPath: string | null;
  /** Null if the file is deleted. */
  newPath: string | null;
  old: string;
  new: string;
  /** The result of `diffLines` for both texts, if it is known already. */
  hunks?: readonly Hunk[];
  context?: number;
  /** The mode of a created or deleted file, which git requires. */
  mode?: number;
};

/**
 * The text that `git diff` prints and `git apply` accepts. Empty if nothing differs. It does not handle binary content.
 */
export function unifiedDiff(input: UnifiedDiffInput): string {
  const { oldPath, newPath, old, new: now, hunks = diffLines(old, now), context = 3 } = input;
  if (hunks.length === 0 && oldPath === newPath) return '';
  let text = header(input);
  if (hunks.length === 0) return text;
  text += `--- ${oldPath === null ? '/dev/null' : labelled('a', oldPath)}\n`;
  text += `+++ ${newPath === null ? '/dev/null' : labelled('b', newPath)}\n`;
  const oldLines = lineReader(old);
  const newLines = lineReader(now);
  for (const group of groupHunks(hunks, context)) text += printGroup(group, context, oldLines, newLines);
  return text;
}

/** The lines above `---`. Without them, a diff cannot create or delete an empty file, or rename a file. */
function header({ oldPath, newPath, mode = 0o100644 }: UnifiedDiffInput): string {
  const from = oldPath ?? newPath ?? '';
  const to = newPath ?? from;
  let text = `diff --git ${quoted(`a/${from}`)} ${quoted(`b/${to}`)}\n`;
  if (oldPath === null) text += `new file mode ${mode.toString(8)}\n`;
  else if (newPath === null) text += `deleted file mode ${mode.toString(8)}\n`;
  else if (oldPath !== newPath) text += `rename from ${quoted(oldPath)}\nrename to ${quoted(newPath)}\n`;
  return text;
}

/** Hunks whose context touches or overlaps are printed as one. */
function groupHunks(hunks: readonly Hunk[], context: number): Hunk[][] {
  const groups: Hunk[][] = [];
  let end = -1;
  for (const hunk of hunks) {
    const group = groups.at(-1);
    if (group && hunk.oldStart - end <= 2 * context) group.push(hunk);
    else groups.push([hunk]);
    end = hunk.oldStart + hunk.oldCount;
  }
  return groups;
}

function printGroup(group: readonly Hunk[], context: number, oldLines: LineReader, newLines: LineReader): string {
  const first = group[0] as Hunk;
  const lead = Math.min(context, first.oldStart);
  const start = first.oldStart - lead;
  let [oldCount, newCount] = [0, 0];
  let body = '';
  const keep = (upTo: number) => {
    const { text, count } = oldLines(start + oldCount, upTo, ' ');
    body += text;
    oldCount += count;
    newCount += count;
  };
  for (const hunk of group) {
    keep(hunk.oldStart);
    body += oldLines(hunk.oldStart, hunk.oldStart + hunk.oldCount, '-').text;
    body += newLines(hunk.newStart, hunk.newStart + hunk.newCount, '+').text;
    oldCount += hunk.oldCount;
    newCount += hunk.newCount;
  }
  keep(start + oldCount + context);
  return `@@ -${range(start, oldCount)} +${range(first.newStart - lead, newCount)} @@\n${body}`;
}

/**
 * A range of lines in the form of a hunk's header. Lines count from 1. An empty range is given as the line before it,
 * and a count of one is omitted.
 */
function range(start: number, count: number): string {
  if (count === 1) return String(start + 1);
  return `${count === 0 ? start : start + 1},${count}`;
}

type LineReader = (from: number, to: number, sign: ' ' | '-' | '+') => { text: string; count: number };

/**
 * Reads ranges of lines in ascending order and puts a sign before each line. There may be fewer lines at the end of the
 * text. The text is not split, because a large file with a small change has many lines that are not needed.
 */
function lineReader(text: string): LineReader {
  let line = 0;
  let at = 0;
  const skipTo = (target: number) => {
    for (; line < target && at < text.length; line++) {
      const newline = text.indexOf('\n', at);
      at = newline === -1 ? text.length : newline + 1;
    }
  };
  return (from, to, sign) => {
    skipTo(from);
    const [start, firstLine] = [at, line];
    skipTo(to);
    return { text: signed(text.slice(start, at), sign), count: line - firstLine };
  };
}

function signed(lines: string, sign: string): string {
  if (lines === '') return '';
  const isWhole = lines.endsWith('\n');
  const body = (isWhole ? lines.slice(0, -1) : lines).replaceAll('\n', `\n${sign}`);
  return `${sign}${body}\n${isWhole ? '' : '\\ No newline at end of file\n'}`;
}

/** A tab after a path that contains a space, so that readers do not take the rest for a date. */
function labelled(side: 'a' | 'b', path: string): string {
  return quoted(`${side}/${path}`) + (path.includes(' ') ? '\t' : '');
}

const escapes: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '"': '\\"', '\\': '\\\\' };

/** Quotes the path as a C string if it contains characters that would break the line. Other characters stay. */
function quoted(path: string): string {
  const escaped = Array.from(path, (character) => escapes[character] ?? octal(character)).join('');
  return escaped === path ? path : `"${escaped}"`;
}

function octal(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 || code === 0x7f ? `\\${code.toString(8).padStart(3, '0')}` : character;
}
