import { pathOf } from './addresses.ts';
import type { OpenFiles } from './open-files.ts';

type Position = { line: number; character: number };
export type Edit = { range: { start: Position; end: Position }; newText: string };
export type Edits = Record<string, Edit[]>;

/** A file that has no editor, and its new text. */
export type Rewritten = { path: string; rewrite: (text: string) => string };

/** Applies edits to the open editors. Returns those of other files. */
export function applyToEditors(edits: Edits, files: OpenFiles): Rewritten[] {
  const others: Rewritten[] = [];
  for (const [uri, list] of Object.entries(edits)) {
    const path = pathOf(uri);
    if (path === null || list.length === 0) continue;
    const view = files.getFile(uri)?.getView();
    if (!view) {
      others.push({ path, rewrite: (text) => rewritten(text, list) });
      continue;
    }
    const { doc } = view.state;
    const offset = ({ line, character }: Position) => {
      const at = doc.line(Math.min(line + 1, doc.lines));
      return Math.min(at.from + character, at.to);
    };
    const changes = list.map(({ range, newText }) => ({
      from: offset(range.start),
      to: offset(range.end),
      insert: newText,
    }));
    view.dispatch({ changes, userEvent: 'rename' });
  }
  return others;
}

/** The text after the edits, which all refer to the text before them. */
export function rewritten(text: string, edits: readonly Edit[]): string {
  const starts = lineStarts(text);
  const offset = ({ line, character }: Position) => Math.min((starts[line] ?? text.length) + character, text.length);
  const sorted = edits
    .map(({ range, newText }) => ({ from: offset(range.start), to: offset(range.end), newText }))
    .toSorted((a, b) => b.from - a.from);
  return sorted.reduce((now, { from, to, newText }) => now.slice(0, from) + newText + now.slice(to), text);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  return starts;
}
