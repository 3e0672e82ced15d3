import { LSPPlugin } from '@codemirror/lsp-client';
import { type Command, type EditorView, getDialog, showDialog } from '@codemirror/view';
import type { Edits } from './edits.ts';

type Apply = (edits: Edits, name: string) => void;

const dialogClass = 'cm-lsp-rename-panel';

/** Asks for a new name, and renames in all files. The library's own command changes only files that are open. */
export const renameEverywhere =
  (apply: Apply): Command =>
  (view) => {
    const word = view.state.wordAt(view.state.selection.main.head);
    if (!word || view.state.readOnly || !LSPPlugin.get(view) || getDialog(view, dialogClass)) return false;
    const { close, result } = showDialog(view, {
      label: view.state.phrase('New name'),
      input: { name: 'name', value: view.state.sliceDoc(word.from, word.to) },
      focus: true,
      submitLabel: view.state.phrase('rename'),
      class: dialogClass,
      top: true,
    });
    void result.then((form) => {
      view.dispatch({ effects: close });
      view.focus();
      const name = form && (form.elements.namedItem('name') as HTMLInputElement).value.trim();
      if (name) void rename(view, word.from, name, apply);
    });
    return true;
  };

async function rename(view: EditorView, at: number, name: string, apply: Apply): Promise<void> {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return;
  plugin.client.sync();
  const doc = view.state.doc;
  try {
    const params = { textDocument: { uri: plugin.uri }, position: plugin.toPosition(at), newName: name };
    const found = await plugin.client.request<unknown, { changes?: Edits } | null>('textDocument/rename', params);
    // The edits refer to the text at the time of the request, so they are not valid for another text.
    if (view.state.doc !== doc) throw new Error(view.state.phrase('The text changed meanwhile'));
    if (found?.changes) apply(found.changes, name);
  } catch (error) {
    plugin.reportError('Rename request failed', error);
  }
}
