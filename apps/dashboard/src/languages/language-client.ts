import type { WorkspaceLanguage } from '@bottega/contract';
import { lintKeymap } from '@codemirror/lint';
import {
  formatDocument,
  hoverTooltips,
  jumpToDefinition,
  jumpToDefinitionKeymap,
  LSPClient,
  LSPPlugin,
  serverCompletion,
  serverDiagnostics,
  signatureHelp,
} from '@codemirror/lsp-client';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { kindOf, pathOf, uriOf } from './addresses.ts';
import { choicePanel } from './choice-panel.ts';
import { cleanHtml } from './clean-html.ts';
import { applyToEditors, type Edits, type Rewritten } from './edits.ts';
import { connectLanguage } from './language-socket.ts';
import { OpenFiles } from './open-files.ts';
import type { Problem, ProblemStore } from './problem-store.ts';
import { quickFixes, type Reported } from './quick-fixes.ts';
import { listReferences } from './references.ts';
import { renameEverywhere } from './renaming.ts';
import { sameProblems } from './same-problems.ts';

export type Around = {
  urlOf(language: WorkspaceLanguage): string;
  problems: ProblemStore;
  show(path: string, line?: number): void;
  isOutside(): void;
  read(path: string): Promise<string>;
  /** Writes files that have no editor. */
  rewrite(files: Rewritten[], message: string): void;
};

const answerMs = 40_000;

type Published = {
  uri: string;
  diagnostics: (Reported & { severity?: number; message: string })[];
};

/** The editors' connections to the language servers of one run of a workspace, one for each language. */
export function openLanguageClients(around: Around) {
  const clients = new Map<WorkspaceLanguage, ReturnType<typeof openClient>>();
  return {
    /** Null for a file without a language server. */
    extensionFor(path: string): Extension | null {
      const kind = kindOf(path);
      if (!kind) return null;
      const client = clients.get(kind.language) ?? openClient(kind.language, around);
      clients.set(kind.language, client);
      return client.plugin(uriOf(path), kind.id);
    },
    close(): void {
      for (const { close } of clients.values()) close();
    },
  };
}

function openClient(language: WorkspaceLanguage, { urlOf, problems, rewrite, read, ...hooks }: Around) {
  let files: OpenFiles | null = null;
  const reported = new Map<string, Published['diagnostics']>();
  const apply = (edits: Edits, message: string) => {
    if (!files) return;
    const others = applyToEditors(edits, files);
    if (others.length > 0) rewrite(others, message);
  };
  const textOf = async (path: string) => files?.getFile(uriOf(path))?.view.state.doc.toString() ?? read(path);
  const keys = [
    { key: 'Shift-F12', run: listReferences({ show: hooks.show, textOf }), preventDefault: true },
    { key: 'F2', run: renameEverywhere((edits, name) => apply(edits, `Rename to ${name}`)), preventDefault: true },
    { key: 'Mod-.', run: quickFixes(apply, (uri) => reported.get(uri) ?? []), preventDefault: true },
    ...jumpToDefinitionKeymap,
    {
      key: 'Shift-Alt-f',
      run: (view: EditorView) => !view.state.readOnly && formatDocument(view),
      preventDefault: true,
    },
    ...lintKeymap,
  ];
  const client = new LSPClient({
    rootUri: 'file:///workspace',
    timeout: answerMs,
    sanitizeHTML: cleanHtml,
    workspace: (own) => {
      files = new OpenFiles(own, hooks);
      return files;
    },
    notificationHandlers: {
      'textDocument/publishDiagnostics': (_client, { uri, diagnostics }: Published) => {
        const path = pathOf(uri);
        if (path !== null) {
          reported.set(uriOf(path), diagnostics);
          problems.set(
            path,
            diagnostics.map((one) => problemOf(path, one)),
          );
        }
        // Returns false, because the library itself underlines them.
        return false;
      },
      // Messages of the server are ignored, because their texts cannot be trusted.
      'window/showMessage': () => true,
      'window/logMessage': () => true,
    },
    extensions: [
      serverCompletion(),
      hoverTooltips(),
      signatureHelp(),
      serverDiagnostics(),
      choicePanel,
      sameProblems((uri) => files?.getFile(uri)?.views() ?? []),
      keymap.of(keys),
      EditorView.domEventHandlers({ mousedown: followLink }),
    ],
  });
  const socket = connectLanguage({
    url: urlOf(language),
    connected: (transport) => void client.connect(transport),
    disconnected: () => client.disconnect(),
    changed: (state) => problems.setState(language, state),
  });
  return { plugin: (uri: string, id: string) => client.plugin(uri, id), close: socket.close };
}

const problemOf = (path: string, { range, severity = 1, message }: Published['diagnostics'][number]): Problem => ({
  path,
  line: range.start.line + 1,
  column: range.start.character + 1,
  severity,
  message,
});

/** A click with the control or command key goes to the definition. */
function followLink(event: MouseEvent, view: EditorView): boolean {
  if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
  const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
  if (at === null || !LSPPlugin.get(view)) return false;
  view.dispatch({ selection: { anchor: at } });
  return jumpToDefinition(view);
}
