import { LSPPlugin } from '@codemirror/lsp-client';
import type { Command, EditorView } from '@codemirror/view';
import { showChoices } from './choice-panel.ts';
import type { Edits } from './edits.ts';

type Action = { title: string; edit?: { changes?: Edits }; data?: unknown; disabled?: unknown };
type Apply = (edits: Edits, title: string) => void;
type Position = { line: number; character: number };
/** A problem as the server reported it. It is sent back to the server, so that the server knows what to fix. */
export type Reported = { range: { start: Position; end: Position } };

const mostShown = 20;

/** Asks the server what it can change at the cursor, and offers it in a panel. */
export const quickFixes =
  (apply: Apply, reportedFor: (uri: string) => readonly Reported[]): Command =>
  (view) => {
    const plugin = LSPPlugin.get(view);
    if (!plugin || view.state.readOnly) return false;
    plugin.client.sync();
    const { from, to } = view.state.selection.main;
    const range = { start: plugin.toPosition(from), end: plugin.toPosition(to) };
    const here = reportedFor(plugin.uri).filter(
      (one) => !isBefore(one.range.end, range.start) && !isBefore(range.end, one.range.start),
    );
    const params = { textDocument: { uri: plugin.uri }, range, context: { diagnostics: here, triggerKind: 1 } };
    plugin.client.request<unknown, Action[] | null>('textDocument/codeAction', params).then(
      (found) => {
        // The service runs no commands of a server, so only actions with edits count.
        const actions = (found ?? []).filter(({ edit, data, disabled }) => (edit || data) && !disabled);
        const choices = actions
          .slice(0, mostShown)
          .map((action) => ({ text: action.title, run: () => void choose(view, action, apply) }));
        showChoices(view, { label: 'Quick fixes', nothing: 'No quick fix here', choices });
      },
      (error: Error) => plugin.reportError('Quick fixes failed', error),
    );
    return true;
  };

const isBefore = (one: Position, other: Position): boolean =>
  one.line < other.line || (one.line === other.line && one.character < other.character);

async function choose(view: EditorView, action: Action, apply: Apply): Promise<void> {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return;
  try {
    const whole = action.edit ? action : await plugin.client.request<Action, Action>('codeAction/resolve', action);
    if (whole.edit?.changes) apply(whole.edit.changes, action.title);
  } catch (error) {
    plugin.reportError('Quick fixes failed', error);
  }
}
