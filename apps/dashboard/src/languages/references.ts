import { LSPPlugin } from '@codemirror/lsp-client';
import type { Command } from '@codemirror/view';
import { pathOf } from './addresses.ts';
import { showChoices } from './choice-panel.ts';

type Found = { uri: string; range: { start: { line: number; character: number } } };

type Hooks = {
  show(path: string, line: number): void;
  /** The text of a file, with what is typed but not saved if it has an editor. */
  textOf(path: string): Promise<string>;
};

const mostShown = 200;

/** Lists where the name at the cursor is used. The library's own list knows only files that are open. */
export const listReferences =
  ({ show, textOf }: Hooks): Command =>
  (view) => {
    const plugin = LSPPlugin.get(view);
    if (!plugin) return false;
    plugin.client.sync();
    const params = {
      textDocument: { uri: plugin.uri },
      position: plugin.toPosition(view.state.selection.main.head),
      context: { includeDeclaration: true },
    };
    const lineOf = async (path: string, line: number) =>
      (await textOf(path))
        .split(/\r\n?|\n/)
        [line]?.trim()
        .slice(0, 200) ?? '';
    const asked = async () => {
      const found = await plugin.client.request<unknown, Found[] | null>('textDocument/references', params);
      const places = (found ?? []).flatMap(({ uri, range }) => {
        const path = pathOf(uri);
        return path === null ? [] : [{ path, line: range.start.line }];
      });
      const choices = await Promise.all(
        places.slice(0, mostShown).map(async ({ path, line }) => ({
          text: `${path.slice(1)}:${line + 1}`,
          detail: await lineOf(path, line).catch(() => ''),
          run: () => show(path, line + 1),
        })),
      );
      showChoices(view, { label: 'References', nothing: 'No references', choices, isList: true });
    };
    asked().catch((error: Error) => plugin.reportError('Finding references failed', error));
    return true;
  };
