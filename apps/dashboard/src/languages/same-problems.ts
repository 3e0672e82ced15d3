import { type Diagnostic, forEachDiagnostic, setDiagnostics, setDiagnosticsEffect } from '@codemirror/lint';
import { LSPPlugin } from '@codemirror/lsp-client';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Shows problems in all editors of a file. The library underlines them only in the first one. */
export const sameProblems = (viewsOf: (uri: string) => readonly EditorView[]): Extension =>
  EditorView.updateListener.of(({ view, transactions }) => {
    const told = transactions.flatMap(({ effects }) => effects.filter((one) => one.is(setDiagnosticsEffect))).at(-1);
    const plugin = LSPPlugin.get(view);
    if (!told || !plugin) return;
    const [first, ...others] = viewsOf(plugin.uri);
    if (view !== first) return;
    for (const other of others) other.dispatch(setDiagnostics(other.state, told.value));
  });

/** Copies the problems that are already underlined to an editor that was opened later. */
export function copyProblems(from: EditorView, to: EditorView): void {
  const all: Diagnostic[] = [];
  forEachDiagnostic(from.state, (one, start, end) => all.push({ ...one, from: start, to: end }));
  if (all.length > 0) to.dispatch(setDiagnostics(to.state, all));
}
