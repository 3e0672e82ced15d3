import { Annotation, type Extension, type Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import * as Y from 'yjs';
import type { LiveFile } from './live-file.ts';

/**
 * Shows the cursors and selections of other users, and sends the user's own. It replaces the part of y-codemirror.next
 * that writes style attributes, which the page's policy rejects.
 */

type Shared = Pick<LiveFile, 'text' | 'awareness'>;
type Shown = { user?: { name?: string; color?: string }; cursor?: { anchor: unknown; head: unknown } | null };

const moved = Annotation.define<boolean>();

export function remoteCursors({ text, awareness }: Shared): Extension {
  class Cursors {
    decorations: DecorationSet;
    readonly view: EditorView;

    constructor(view: EditorView) {
      this.view = view;
      this.decorations = drawn(text, awareness, view.state.doc.length);
      awareness.on('change', this.changed);
    }

    readonly changed = ({ added, updated, removed }: Record<'added' | 'updated' | 'removed', number[]>) => {
      const others = [...added, ...updated, ...removed].some((id) => id !== awareness.clientID);
      if (others) this.view.dispatch({ annotations: moved.of(true) });
    };

    update(update: ViewUpdate) {
      if ((update.selectionSet || update.docChanged || update.focusChanged) && update.view.hasFocus)
        publishCursor({ text, awareness }, update.state.selection.main);
      if (update.docChanged || update.transactions.some((one) => one.annotation(moved))) {
        this.decorations = drawn(text, awareness, update.state.doc.length);
      }
    }

    destroy() {
      awareness.off('change', this.changed);
    }
  }
  return ViewPlugin.fromClass(Cursors, { decorations: (plugin) => plugin.decorations });
}

/** Sends the user's position in the file to the others. */
export function publishCursor({ text, awareness }: Shared, { anchor, head }: { anchor: number; head: number }): void {
  const at = (offset: number) =>
    Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, Math.min(offset, text.length)));
  awareness.setLocalStateField('cursor', { anchor: at(anchor), head: at(head) });
}

function drawn(text: Y.Text, awareness: LiveFile['awareness'], length: number): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const [clientId, state] of awareness.getStates() as Map<number, Shown>) {
    if (clientId === awareness.clientID || !state.cursor) continue;
    const [anchor, head] = [offsetOf(text, state.cursor.anchor), offsetOf(text, state.cursor.head)];
    if (anchor === null || head === null || Math.max(anchor, head) > length) continue;
    const { name = '?', color = '#1971c2' } = state.user ?? {};
    if (anchor !== head) {
      const attributes = { style: `background-color: ${safe(color)}33` };
      ranges.push(Decoration.mark({ attributes }).range(Math.min(anchor, head), Math.max(anchor, head)));
    }
    ranges.push(Decoration.widget({ widget: new Caret(name, safe(color)), side: head > anchor ? -1 : 1 }).range(head));
  }
  return Decoration.set(ranges, true);
}

/** The value becomes part of a style, so only a colour is allowed. */
const safe = (color: string): string => (/^#[0-9a-f]{6}$/i.test(color) ? color : '#1971c2');

export function offsetOf(text: Y.Text, relative: unknown): number | null {
  const { doc } = text;
  if (!doc || !relative) return null;
  const absolute = Y.createAbsolutePositionFromRelativePosition(Y.createRelativePositionFromJSON(relative), doc);
  return absolute?.type === text ? absolute.index : null;
}

class Caret extends WidgetType {
  readonly name: string;
  readonly color: string;

  constructor(name: string, color: string) {
    super();
    this.name = name;
    this.color = color;
  }

  override eq({ name, color }: Caret): boolean {
    return name === this.name && color === this.color;
  }

  override toDOM(): HTMLElement {
    const caret = document.createElement('span');
    caret.className = 'live-caret';
    caret.style.setProperty('--who', this.color);
    const label = document.createElement('span');
    label.className = 'live-caret-name';
    label.textContent = this.name;
    caret.append(label);
    return caret;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
