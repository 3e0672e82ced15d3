import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { useSyncExternalStore } from 'react';

/**
 * Where the cursor of an editor is, for parts of the page outside the editor. When it moves, only these parts are
 * rendered again.
 */
export type CursorPlace = { line: number; column: number; selected: number; view: EditorView };

/** The cursors by path. Two editors may show the same file. The one that had the focus last comes first. */
const places = new Map<string, readonly CursorPlace[]>();
const listeners = new Set<() => void>();

function tell(path: string, all: readonly CursorPlace[]): void {
  if (all.length > 0) places.set(path, all);
  else places.delete(path);
  for (const listener of listeners) listener();
}

function placeIn(view: EditorView): CursorPlace {
  const { doc, selection } = view.state;
  const { head, from, to } = selection.main;
  const line = doc.lineAt(head);
  return { line: line.number, column: head - line.from + 1, selected: to - from, view };
}

const placesOf = (path: string): readonly CursorPlace[] => places.get(path) ?? [];

/** Reports the cursor of the editor of this file. */
export const cursorIn = (path: string): Extension =>
  ViewPlugin.define((view) => {
    const others = () => placesOf(path).filter((place) => place.view !== view);
    const isFirst = () => placesOf(path)[0]?.view === view;
    tell(path, [...others(), placeIn(view)]);
    return {
      update({ selectionSet, docChanged, focusChanged }: ViewUpdate) {
        if (!selectionSet && !docChanged && !focusChanged) return;
        const comesFirst = view.hasFocus || isFirst();
        tell(path, comesFirst ? [placeIn(view), ...others()] : [...others(), placeIn(view)]);
      },
      destroy: () => tell(path, others()),
    };
  });

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

export const useCursorPlace = (path: string | undefined): CursorPlace | null =>
  useSyncExternalStore(subscribe, () => placesOf(path ?? '')[0] ?? null);
