import type { TextPosition } from '@bottega/contract';
import { type EditorState, type Extension, RangeSet, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from '@codemirror/view';

export type Mark = { id: string; position: TextPosition; end: TextPosition | null };

function rangeOf(doc: Text, { id, position, end }: Mark) {
  const line = doc.line(Math.min(position.line, doc.lines));
  const [from, to] = end ? [offsetOf(doc, position), offsetOf(doc, end)] : [line.from, line.to];
  // An empty line has nothing to underline, so the mark belongs to the line itself.
  if (to <= from) return Decoration.line({ attributes: { 'data-comment': id } }).range(doc.lineAt(from).from);
  return Decoration.mark({ class: 'commented', attributes: { 'data-comment': id } }).range(from, to);
}

export function offsetOf(doc: Text, { line, column }: TextPosition): number {
  const textLine = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(textLine.from + column - 1, textLine.to);
}

export function positionAt(doc: Text, offset: number): TextPosition {
  const line = doc.lineAt(offset);
  return { line: line.number, column: offset - line.from + 1 };
}

class Bubble extends GutterMarker {
  readonly ids: string[];
  readonly label: string;

  constructor(ids: string[], label: string) {
    super();
    this.ids = ids;
    this.label = label;
  }

  override eq({ ids, label }: Bubble): boolean {
    return ids.join() === this.ids.join() && label === this.label;
  }

  override toDOM(): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'comment-bubble';
    button.textContent = String(this.ids.length);
    button.title = this.label;
    button.dataset.comment = this.ids[0] ?? '';
    // The margin is hidden from screen readers. They and the keyboard use the list of comments.
    button.tabIndex = -1;
    return button;
  }
}

type Options = {
  label: (count: number) => string;
  chosen: (id: string) => void;
  /** The marks of a new editor. */
  first?: (doc: Text) => Mark[];
};

/**
 * Creates one kind of marks in the editor. The text of a mark is underlined, and a button in the margin leads to the
 * comments. The positions of marks are set from outside. Until they are set again, marks move with edits, and are
 * removed when their text is deleted.
 */
export function newMarks() {
  const set = StateEffect.define<Mark[]>();
  const placed = (doc: Text, marks: readonly Mark[]) =>
    Decoration.set(
      marks.map((mark) => rangeOf(doc, mark)),
      true,
    );
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(before, transaction) {
      const given = transaction.effects.findLast((effect) => effect.is(set));
      return given ? placed(transaction.newDoc, given.value) : before.map(transaction.changes);
    },
    provide: (now) => EditorView.decorations.from(now),
  });

  /** The ids by the beginning of their line, in the order of lines. */
  function byLine(state: EditorState): Map<number, string[]> {
    const found = new Map<number, string[]>();
    for (let cursor = state.field(field).iter(); cursor.value; cursor.next()) {
      const line = state.doc.lineAt(cursor.from).from;
      const id = String(cursor.value.spec.attributes?.['data-comment'] ?? '');
      found.set(line, [...(found.get(line) ?? []), id]);
    }
    return found;
  }

  function bubbles(state: EditorState, label: Options['label']): RangeSet<GutterMarker> {
    const all = [...byLine(state)].map(([line, ids]) => new Bubble(ids, label(ids.length)).range(line));
    return RangeSet.of(all, true);
  }

  return {
    byLine,
    show: (view: EditorView, marks: Mark[]): void => view.dispatch({ effects: set.of(marks) }),
    extension: ({ label, chosen, first = () => [] }: Options): Extension => [
      field.init(({ doc }) => placed(doc, first(doc))),
      gutter({
        class: 'comment-gutter',
        markers: (view) => bubbles(view.state, label),
        initialSpacer: () => new Bubble(['0'], ''),
        domEventHandlers: {
          click: (_view, _line, event) => {
            const id = (event.target as HTMLElement).dataset.comment;
            if (id) chosen(id);
            return id !== undefined;
          },
        },
      }),
    ],
  };
}
