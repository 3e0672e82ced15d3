import { LSPPlugin, Workspace, type WorkspaceFile } from '@codemirror/lsp-client';
import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { pathOf, uriOf } from './addresses.ts';

type Hooks = {
  /** Shows a file of the project. */
  show(path: string): void;
  /** The place is outside the project. */
  isOutside(): void;
};

const showMs = 5_000;

class OpenFile implements WorkspaceFile {
  readonly uri: string;
  readonly languageId: string;
  version = 0;
  doc: Text;
  view: EditorView;
  constructor(uri: string, languageId: string, view: EditorView) {
    this.uri = uri;
    this.languageId = languageId;
    this.view = view;
    this.doc = view.state.doc;
  }
  getView(): EditorView {
    return this.view;
  }
}

/** The files that have an editor. Others are opened when the server leads there. */
export class OpenFiles extends Workspace {
  files: OpenFile[] = [];
  private readonly hooks: Hooks;
  private readonly versions = new Map<string, number>();
  private readonly awaited = new Map<string, (view: EditorView) => void>();

  constructor(client: Workspace['client'], hooks: Hooks) {
    super(client);
    this.hooks = hooks;
  }

  /** Servers write addresses in other ways than the editor. */
  override getFile(uri: string): OpenFile | null {
    const path = pathOf(uri);
    const own = path === null ? uri : uriOf(path);
    return this.files.find((file) => file.uri === own) ?? null;
  }

  private nextVersion(uri: string): number {
    const version = (this.versions.get(uri) ?? 0) + 1;
    this.versions.set(uri, version);
    return version;
  }

  syncFiles() {
    return this.files.flatMap((file) => {
      const plugin = LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty) return [];
      const changed = { changes: plugin.unsyncedChanges, file, prevDoc: file.doc };
      file.doc = file.view.state.doc;
      file.version = this.nextVersion(file.uri);
      plugin.clear();
      return [changed];
    });
  }

  openFile(uri: string, languageId: string, view: EditorView): void {
    const file = new OpenFile(uri, languageId, view);
    file.version = this.nextVersion(uri);
    const before = this.getFile(uri);
    this.files = [...this.files.filter((one) => one !== before), file];
    if (before) this.client.didClose(uri);
    this.client.didOpen(file);
    this.awaited.get(uri)?.(view);
    this.awaited.delete(uri);
  }

  closeFile(uri: string, view: EditorView): void {
    const file = this.getFile(uri);
    if (!file || file.view !== view) return;
    this.files = this.files.filter((one) => one !== file);
    this.client.didClose(uri);
  }

  override async displayFile(uri: string): Promise<EditorView | null> {
    const path = pathOf(uri);
    if (path === null) {
      this.hooks.isOutside();
      return null;
    }
    const own = uriOf(path);
    const shown = new Promise<EditorView | null>((resolve) => {
      const open = this.getFile(own);
      if (open) return resolve(open.view);
      this.awaited.set(own, resolve);
      setTimeout(() => resolve(null), showMs);
    });
    this.hooks.show(path);
    const view = await shown;
    // An editor that was hidden has no size until the next frame.
    if (view) requestAnimationFrame(() => view.focus());
    return view;
  }
}
