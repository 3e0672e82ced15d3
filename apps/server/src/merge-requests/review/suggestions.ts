import { conflict } from '../../foundation/http/index.ts';

const opening = /^ {0,3}(`{3,}|~{3,})[ \t]*suggestion[ \t]*$/;

/** The lines of the suggestion in a comment, which is a code block named `suggestion`. Null if the comment has none. */
export function suggestionIn(body: string): string[] | null {
  const lines = body.split(/\r?\n/);
  const begin = lines.findIndex((line) => opening.test(line));
  const fence = opening.exec(lines[begin] ?? '')?.[1];
  if (fence === undefined) return null;
  const end = lines.findIndex((line, index) => index > begin && line.trim() === fence);
  return end === -1 ? null : lines.slice(begin + 1, end);
}

export type Replacement = { start: number; line: number; lines: readonly string[] };

/** Replaces lines of a text. All line numbers refer to the original text. */
export function applyTo(text: string, replacements: readonly Replacement[]): string {
  const lines = text.split('\n');
  const fromEnd = replacements.toSorted((one, other) => other.start - one.start);
  for (const [index, { start, line }] of fromEnd.entries()) {
    const above = fromEnd[index + 1];
    if (above && above.line >= start) throw conflict('Two suggestions change the same lines; apply only one of them');
    if (line > lines.length) throw conflict('A suggestion refers to lines that the file does not have');
  }
  for (const { start, line, lines: now } of fromEnd) {
    // The last line ends as the last one did that it replaces, which may be the end of the text.
    const ended = now.map((one, at) => one + returnOf(lines[(at === now.length - 1 ? line : start) - 1]));
    lines.splice(start - 1, line - start + 1, ...ended);
  }
  return lines.join('\n');
}

/** The carriage return of a line that ends with CRLF. A suggestion has none, whatever its text has. */
const returnOf = (line = ''): string => (line.endsWith('\r') ? '\r' : '');
