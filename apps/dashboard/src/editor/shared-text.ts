import { history, historyKeymap, isolateHistory, redo, undo } from '@codemirror/commands';
import {
  Annotation,
  type AnnotationType,
  type ChangeSet,
  type EditorSelection,
  EditorState,
  type Extension,
  type StateCommand,
  type Text,
  Transaction,
} from '@codemirror/state';
import { EditorView, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Changes an editor. The selection is null if the cursor stays where it is. */
type Take = (changes: ChangeSet, selection: EditorSelection | null) => void;

/**
 * One text for all editors of a file, with one undo history. Both groups of tabs may show the same file. What is typed
 * in one editor appears in the other immediately, and an undo in either reverts the last change made in any of them.
 * The history outlives each editor, and ends with the tab.
 */
export function newSharedText(doc: Text) {
  let state = EditorState.create({ doc, extensions: [history(), EditorState.allowMultipleSelections.of(true)] });
  const editors = new Set<Take>();
  return {
    doc: (): Text => state.doc,
    hasEditors: (): boolean => editors.size > 0,
    join: (take: Take) => void editors.add(take),
    leave: (take: Take) => void editors.delete(take),
    /** Takes a change that was made in one editor, and passes it on to the others. */
    put(done: Transaction, from: Take): void {
      const { selection } = done.startState;
      // If the cursor was in another editor before, an undo must move it back to its place in this one.
      if (!state.selection.eq(selection)) state = state.update({ selection }).state;
      const annotations = [
        ...copied(done, Transaction.userEvent),
        ...copied(done, Transaction.addToHistory),
        ...copied(done, isolateHistory),
      ];
      state = state.update({ changes: done.changes, selection: done.newSelection, annotations }).state;
      if (done.docChanged) for (const take of editors) if (take !== from) take(done.changes, null);
    },
    /** Undoes or redoes on behalf of one editor. The cursor of that editor moves to the change. */
    run(command: StateCommand, asking: Take): boolean {
      const dispatch = (done: Transaction) => {
        state = done.state;
        for (const take of editors) take(done.changes, take === asking ? done.newSelection : null);
      };
      return command({ state, dispatch });
    },
  };
}

function copied<Value>(done: Transaction, type: AnnotationType<Value>) {
  const value = done.annotation(type);
  return value === undefined ? [] : [type.of(value)];
}

/**
 * The shared texts by path. The branch is not part of the key, because the editors of one branch are removed before
 * those of another are created.
 */
const texts = new Map<string, ReturnType<typeof newSharedText>>();

/** The number of tabs of a file, by its path. */
const tabs = new Map<string, number>();

/** Keeps the history while the file has a tab, even if no editor shows it now. */
export function holdText(path: string): () => void {
  tabs.set(path, (tabs.get(path) ?? 0) + 1);
  return () => {
    tabs.set(path, (tabs.get(path) ?? 0) - 1);
    release(path);
  };
}

/**
 * Ends a shared text without tabs. This is delayed, because a tab that moves to the other group exists again a moment
 * later.
 */
function release(path: string): void {
  queueMicrotask(() => {
    if (texts.get(path)?.hasEditors() || tabs.get(path)) return;
    texts.delete(path);
    tabs.delete(path);
  });
}

/** The current text in the other editors of the file. */
export const sharedDoc = (path: string): Text | undefined => texts.get(path)?.doc();

/**
 * Marks a change that was not made by typing in this editor: `theirs` came from another editor, and `history` is an
 * undo or redo that was requested here.
 */
const taken = Annotation.define<'theirs' | 'history'>();

/** Whether the text was changed here, and not in another editor of the file. */
export const isChangedHere = ({ transactions }: ViewUpdate): boolean =>
  transactions.some((done) => done.docChanged && done.annotation(taken) !== 'theirs');

/** Connects an editor with the others of its file. */
export function sharedText(path: string): Extension {
  const joined = ViewPlugin.define((view) => joining(path, view));
  const running = (command: StateCommand) => (view: EditorView) =>
    !view.state.readOnly && (view.plugin(joined)?.run(command) ?? false);
  return [
    joined,
    EditorView.updateListener.of(({ transactions, view }) => {
      for (const done of transactions) {
        const isOwn = done.annotation(taken) === undefined;
        if (isOwn && (done.docChanged || done.selection)) view.plugin(joined)?.put(done);
      }
    }),
    keymap.of(historyKeymap.map((binding) => ({ ...binding, run: running(binding.run as StateCommand) }))),
    EditorView.domEventHandlers({
      // The browser's own menu can also undo and redo.
      beforeinput(event, view) {
        const command = fromMenu[event.inputType];
        if (!command) return false;
        event.preventDefault();
        return running(command)(view);
      },
    }),
  ];
}

const fromMenu: Record<string, StateCommand> = { historyUndo: undo, historyRedo: redo };

function joining(path: string, view: EditorView) {
  const text = texts.get(path) ?? newSharedText(view.state.doc);
  texts.set(path, text);
  const take: Take = (changes, selection) =>
    view.dispatch({
      changes,
      ...(selection && { selection, scrollIntoView: true }),
      annotations: taken.of(selection ? 'history' : 'theirs'),
      filter: false,
    });
  text.join(take);
  return {
    put: (done: Transaction) => text.put(done, take),
    run: (command: StateCommand) => text.run(command, take),
    destroy() {
      text.leave(take);
      release(path);
    },
  };
}
