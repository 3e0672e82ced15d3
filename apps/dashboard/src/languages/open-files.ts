import { LSPPlugin, Workspace, type WorkspaceFile } from '@codemirror/lsp-client';
import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { isInFocusedGroup } from '../kit/in-focused-group.ts';
import { pathOf, uriOf } from './addresses.ts';
import { copyProblems } from './same-problems.ts';

type Hooks = {
  /** Shows a file of the project. */
  show(path: string): void;
  /** Called if a place is outside the project. */
  isOutside(): void;
};

const showMs = 5_000;

class OpenFile implements WorkspaceFile {
  readonly uri: string;
  readonly languageId: string;
  version = 0;
  doc: Text;
  /** The editor whose changes are sent to the server. */
  view: EditorView;
  /** Other editors of the file, because another group of tabs may show the same text. */
  others: EditorView[] = [];
  constructor(uri: string, languageId: string, view: EditorView) {
    this.uri = uri;
    this.languageId = languageId;
    this.view = view;
    this.doc = view.state.doc;
  }
  getView(main?: EditorView): EditorView {
    return this.views().find((view) => view === main) ?? this.view;
  }
  views(): EditorView[] {
    return [this.view, ...this.others];
  }
}

/** The files that have an editor. Other files are opened when the server refers to a place in them. */
export class OpenFiles extends Workspace {
  files: OpenFile[] = [];
  private readonly hooks: Hooks;
  private readonly versions = new Map<string, number>();
  private readonly awaited = new Map<string, (view: EditorView) => void>();

  constructor(client: Workspace['client'], hooks: Hooks) {
    super(client);
    this.hooks = hooks;
  }

  /** Finds a file by its path, because servers may write the URI differently than the editor. */
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
      // The other editors have the same text, so only the changes of the first are sent.
      for (const view of file.views()) LSPPlugin.get(view)?.clear();
      return [changed];
    });
  }

  openFile(uri: string, languageId: string, view: EditorView): void {
    const before = this.getFile(uri);
    if (before?.view.state.doc.eq(view.state.doc)) {
      // The changes so far are sent first, because the new editor already contains them.
      this.client.sync();
      before.others.push(view);
      // This is delayed, because an editor must not be changed while it is being created.
      queueMicrotask(() => copyProblems(before.view, view));
    } else {
      // The editor of a session has replaced the editor of the stored text.
      if (before) this.leave(before);
      this.enter(uri, languageId, view);
    }
    this.awaited.get(uri)?.(view);
    this.awaited.delete(uri);
  }

  private enter(uri: string, languageId: string, view: EditorView, others: EditorView[] = []): void {
    const file = new OpenFile(uri, languageId, view);
    file.others = others;
    file.version = this.nextVersion(uri);
    this.files = [...this.files, file];
    this.client.didOpen(file);
  }

  private leave(file: OpenFile): void {
    this.files = this.files.filter((one) => one !== file);
    this.client.didClose(file.uri);
  }

  closeFile(uri: string, view: EditorView): void {
    const file = this.getFile(uri);
    if (!file) return;
    if (file.view !== view) {
      file.others = file.others.filter((one) => one !== view);
      return;
    }
    this.leave(file);
    const [next, ...others] = file.others;
    if (!next) return;
    this.enter(uri, file.languageId, next, others);
    // Their pending changes are dropped, because the server has just received the whole text.
    for (const one of file.others) LSPPlugin.get(one)?.clear();
  }

  override async displayFile(uri: string): Promise<EditorView | null> {
    const path = pathOf(uri);
    if (path === null) {
      this.hooks.isOutside();
      return null;
    }
    const own = uriOf(path);
    const shown = new Promise<EditorView | null>((resolve) => {
      const open = this.getFile(own)?.views().find(isInFocusedGroup);
      if (open) return resolve(open);
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
