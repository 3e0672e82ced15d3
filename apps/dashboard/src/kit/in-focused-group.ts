import type { EditorView } from '@codemirror/view';

/** Whether the editor is not in a group of tabs beside the one with the focus. Most screens have no groups. */
export const isInFocusedGroup = ({ dom }: EditorView): boolean => dom.closest('[data-unfocused]') === null;
