import { EditorState, type Extension, type Text } from '@codemirror/state';

/** How the lines of a file end, so that saving it changes nothing but what was typed. */
export type LineEnds = { extension: Extension; textOf(doc: Text): string };

/**
 * CodeMirror takes every kind of line end for the same and writes LF. Where all lines end in CRLF they are written so
 * again; where they differ, the CR stays a character of its line.
 */
export function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r')) return { extension: [], textOf: (doc) => doc.toString() };
  const isMixed = /(^|[^\r])\n|\r(?!\n)/.test(text);
  if (isMixed) return { extension: EditorState.lineSeparator.of('\n'), textOf: (doc) => doc.toString() };
  return { extension: [], textOf: (doc) => doc.sliceString(0, doc.length, '\r\n') };
}
