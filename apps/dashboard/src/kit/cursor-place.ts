import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { useSyncExternalStore } from 'react';

/** Where the cursor of an editor is, for parts of the page outside it. A key press draws only these again. */
export type CursorPlace = { line: number; column: number; selected: number; view: EditorView };

const places = new Map<string, CursorPlace>();
const listeners = new Set<() => void>();

function tell(path: string, place: CursorPlace | null): void {
  if (place) places.set(path, place);
  else places.delete(path);
  for (const listener of listeners) listener();
}

function placeIn(view: EditorView): CursorPlace {
  const { doc, selection } = view.state;
  const { head, from, to } = selection.main;
  const line = doc.lineAt(head);
  return { line: line.number, column: head - line.from + 1, selected: to - from, view };
}

/** Reports the cursor of the editor of this file. */
export const cursorIn = (path: string): Extension =>
  ViewPlugin.define((view) => {
    tell(path, placeIn(view));
    return {
      update: ({ selectionSet, docChanged }: ViewUpdate) => {
        if (selectionSet || docChanged) tell(path, placeIn(view));
      },
      destroy: () => {
        if (places.get(path)?.view === view) tell(path, null);
      },
    };
  });

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

export const useCursorPlace = (path: string | undefined): CursorPlace | null =>
  useSyncExternalStore(subscribe, () => places.get(path ?? '') ?? null);
