import { type Extension, RangeSetBuilder, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { type Hunk, hunksIn, type Lines } from './hunks.ts';

export const hunksOf = (doc: Text): Hunk[] => hunksIn(doc.toJSON());

const looks = {
  ours: Decoration.line({ class: 'hunk-ours' }),
  theirs: Decoration.line({ class: 'hunk-theirs' }),
  marker: Decoration.line({ class: 'hunk-marker' }),
};

function mark(doc: Text, lookOf: (line: number) => keyof typeof looks | null, ranges: readonly Lines[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of ranges) {
    for (let line = from; line <= Math.min(to, doc.lines); line++) {
      const look = lookOf(line);
      const { from: start } = doc.line(line);
      if (look) builder.add(start, start, looks[look]);
    }
  }
  return builder.finish();
}

function marksIn(doc: Text): DecorationSet {
  const hunks = hunksOf(doc);
  const lookOf = (line: number) => {
    const hunk = hunks.find(({ from, to }) => line >= from && line <= to);
    if (!hunk) return null;
    if (line === hunk.from || line === hunk.middle || line === hunk.to) return 'marker';
    return line < hunk.middle ? 'ours' : 'theirs';
  };
  return mark(doc, lookOf, hunks);
}

/** Colours both sides of every conflict in a text with markers. */
export const hunkMarks: Extension = StateField.define<DecorationSet>({
  create: ({ doc }) => marksIn(doc),
  update: (marks, { docChanged, newDoc }) => (docChanged ? marksIn(newDoc) : marks),
  provide: (field) => EditorView.decorations.from(field),
});

/** Colours lines of one side, whose text does not change. */
export const sideMarks = (places: readonly (Lines | null)[], side: 'ours' | 'theirs'): Extension =>
  EditorView.decorations.of(({ state }) =>
    mark(
      state.doc,
      () => side,
      places.filter((place) => place !== null),
    ),
  );
