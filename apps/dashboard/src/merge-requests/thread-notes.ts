import type { Text } from '@codemirror/state';
import { EditorView, keymap, ViewPlugin } from '@codemirror/view';
import type { CodeHelp } from '../kit/code-help.ts';
import { isInFocusedGroup } from '../kit/in-focused-group.ts';
import { type Mark, newMarks } from '../live/comment-marks.ts';
import { linesNow } from './lines-now.ts';
import type { ThreadStore } from './thread-store.ts';

type Options = {
  store: ThreadStore;
  label: (count: number) => string;
  choose: (id: string) => void;
  /** The thread that is shown beside the text. */
  chosen: () => string | undefined;
};

/**
 * Time without a change after which deleted lines are searched again, in milliseconds. They may come back, for example
 * by an undo.
 */
const rests = 500;

const marks = newMarks();

/** Marks the lines of an editor that have threads. */
export const threadNotes =
  ({ store, label, ...choice }: Options): CodeHelp =>
  (path) => [
    marks.extension({ label, chosen: choice.choose, first: (doc) => marksIn(doc, store, path) }),
    watching(store, path),
    keymap.of([{ key: 'Mod-Alt-k', preventDefault: true, run: (view) => goToNext(view, choice) }]),
  ];

/** The marks of a file's threads, at the places of their lines in this text. */
function marksIn(doc: Text, store: ThreadStore, path: string): Mark[] {
  return store.of(path).flatMap(({ text, threads }) => {
    const find = linesNow(text, doc.iterLines());
    return threads.flatMap(({ id, line }) => {
      const now = find(line);
      return now === null ? [] : [{ id, position: { line: now, column: 1 }, end: null }];
    });
  });
}

/** Updates the marks from the store, and reports their places to the store. */
const watching = (store: ThreadStore, path: string) =>
  ViewPlugin.define((view) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      const lines = [...marks.byLine(view.state)].flatMap(([from, ids]) =>
        ids.map((id) => [id, view.state.doc.lineAt(from).number] as const),
      );
      store.note(path, new Map(lines));
    };
    const place = () => {
      clearTimeout(timer);
      timer = undefined;
      marks.show(view, marksIn(view.state.doc, store, path));
      showSought(view, store);
    };
    const stop = store.onChange(place);
    // This is delayed, because an editor must not be changed while it is being created.
    timer = setTimeout(place);
    return {
      update({ docChanged }) {
        tell();
        const all = store.of(path).reduce((sum, { threads }) => sum + threads.length, 0);
        if (docChanged && store.linesOf(path).size < all) timer ??= setTimeout(place, rests);
      },
      destroy() {
        clearTimeout(timer);
        stop();
      },
    };
  });

function showSought(view: EditorView, store: ThreadStore): void {
  if (!isInFocusedGroup(view)) return;
  for (const [from, ids] of marks.byLine(view.state)) {
    const found = ids.map((id) => store.found(id)).find((one) => one !== null);
    if (found) goTo(view, from, found.takesFocus);
  }
}

function goTo(view: EditorView, from: number, takesFocus: boolean): void {
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  if (takesFocus) view.focus();
}

/**
 * Goes to the thread at the cursor or, if that is already shown, to the next one. After the last one, goes to the
 * first.
 */
function goToNext(view: EditorView, { choose, chosen }: Pick<Options, 'choose' | 'chosen'>): boolean {
  const all = [...marks.byLine(view.state)];
  const line = view.state.doc.lineAt(view.state.selection.main.head).from;
  const isShown = (ids: string[]) => ids.some((id) => id === chosen());
  const [from, [id] = []] = all.find(([at, ids]) => at > line || (at === line && !isShown(ids))) ?? all[0] ?? [];
  if (from === undefined || id === undefined) return false;
  goTo(view, from, false);
  choose(id);
  return true;
}
