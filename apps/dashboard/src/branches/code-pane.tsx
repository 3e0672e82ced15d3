import { EditorState, type Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect } from 'react';
import { lineEndsOf } from '../kit/line-ends.ts';
import { codeHostStyle, useCodeMirror } from '../kit/use-code-mirror.ts';
import { sideMarks } from './hunk-marks.ts';
import type { Lines } from './hunks.ts';

type Props = {
  path: string;
  label: string;
  text: string;
  /** The lines of all conflicts on this side, and which conflict to show. */
  marks: { side: 'ours' | 'theirs'; places: readonly (Lines | null)[]; at: number } | null;
};

/** One side of a conflict. It cannot be edited. */
export default function CodePane({ path, label, text, marks }: Props) {
  const { host, view } = useCodeMirror({
    path,
    label,
    recreateOn: text,
    doc: () => text,
    extensions: () => [
      lineEndsOf(text).extension,
      EditorState.readOnly.of(true),
      marks ? sideMarks(marks.places, marks.side) : [],
    ],
  });
  const line = marks?.places[marks.at]?.from;
  useEffect(() => {
    const editor = view.current;
    if (!editor || line === undefined) return;
    editor.dispatch({ effects: EditorView.scrollIntoView(startOf(editor.state.doc, line), { y: 'center' }) });
  }, [line, view]);
  return <div ref={host} style={codeHostStyle} />;
}

const startOf = (doc: Text, line: number): number => doc.line(Math.min(line, doc.lines)).from;
