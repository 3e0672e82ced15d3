import type { EditorView } from '@codemirror/view';

/** Whether the editor belongs to the group of tabs with the focus. Also true on screens without groups. */
export const isInFocusedGroup = ({ dom }: EditorView): boolean => dom.closest('[data-unfocused]') === null;
