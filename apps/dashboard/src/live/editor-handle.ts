import type { TextPosition } from '@bottega/contract';
import { EditorView } from '@codemirror/view';
import { offsetOf, positionAt } from './comment-marks.ts';

/** What others of the page may ask of the editor that is shown. */
export type EditorHandle = {
  /** What is selected, or the line of the cursor: to comment on. */
  selection(): { position: TextPosition; end?: TextPosition; text: string };
  /** Goes there with the cursor. */
  show(position: TextPosition): void;
  /** Brings it into view, and nothing else. */
  reveal(position: TextPosition): void;
};

export const handleOf = (editor: EditorView): EditorHandle => ({
  selection() {
    const { doc, selection } = editor.state;
    const { from, to } = selection.main;
    if (from === to) return { position: positionAt(doc, from), text: doc.lineAt(from).text };
    return { position: positionAt(doc, from), end: positionAt(doc, to), text: doc.sliceString(from, to) };
  },
  show(position) {
    const at = offsetOf(editor.state.doc, position);
    editor.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'center' }), selection: { anchor: at } });
    editor.focus();
  },
  reveal(position) {
    const at = offsetOf(editor.state.doc, position);
    editor.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'nearest', yMargin: 60 }) });
  },
});

/** The editor that is in view, whoever made it. */
export function shownEditor(): EditorHandle | null {
  const all = [...document.querySelectorAll<HTMLElement>('.cm-editor')];
  const shown = all.find((editor) => editor.offsetParent !== null);
  const view = shown && EditorView.findFromDOM(shown);
  return view ? handleOf(view) : null;
}
