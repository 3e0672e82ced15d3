import type { TextPosition } from '@bottega/contract';
import { EditorView } from '@codemirror/view';
import { isInFocusedGroup } from '../kit/in-focused-group.ts';
import { offsetOf, positionAt } from './comment-marks.ts';

/** What other parts of the page can do with the visible editor. */
export type EditorHandle = {
  /** The selection, or the line of the cursor, as the place for a comment. */
  selection(): { position: TextPosition; end?: TextPosition; text: string };
  /** Moves the cursor there. */
  show(position: TextPosition): void;
  /** Only scrolls it into view. */
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

/** Finds the visible editor in the group with the focus, whichever component has rendered it. */
export function shownEditor(): EditorHandle | null {
  const all = [...document.querySelectorAll<HTMLElement>('.cm-editor')]
    .filter((editor) => editor.offsetParent !== null)
    .flatMap((editor) => EditorView.findFromDOM(editor) ?? []);
  const view = all.find(isInFocusedGroup);
  return view ? handleOf(view) : null;
}
