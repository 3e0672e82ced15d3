import { EditorState, type Extension, type Text } from '@codemirror/state';

/** How an editor keeps the line endings of a file, so that saving changes only what was edited. */
export type LineEnds = { extension: Extension; textOf(doc: Text): string };

/**
 * CodeMirror treats all line endings alike and writes LF. If all lines end in CRLF, they are written with CRLF again.
 * If line endings differ, each CR stays a character of its line.
 */
export function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r')) return { extension: [], textOf: (doc) => doc.toString() };
  const isMixed = /(^|[^\r])\n|\r(?!\n)/.test(text);
  if (isMixed) return { extension: EditorState.lineSeparator.of('\n'), textOf: (doc) => doc.toString() };
  return { extension: [], textOf: (doc) => doc.sliceString(0, doc.length, '\r\n') };
}
