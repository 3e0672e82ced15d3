import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { cursorIn } from '../kit/cursor-place.ts';
import { type LineEnds, lineEndsOf } from '../kit/line-ends.ts';
import { codeHostStyle, type Left, useCodeMirror } from '../kit/use-code-mirror.ts';
import { differenceOf } from './difference.ts';
import { isChangedHere, sharedDoc, sharedText } from './shared-text.ts';

type Props = {
  path: string;
  label: string;
  text: string;
  readOnly: boolean;
  line?: number | undefined;
  left?: RefObject<Left | null> | undefined;
  onChange: (text: string) => void;
  onSave: () => void;
};

/**
 * An editor of one file. A `text` from outside replaces the content only if it differs. All editors of a file share one
 * undo history.
 */
export default function CodeEditor({ path, label, text, readOnly, line, left, onChange, onSave }: Props) {
  const ends = useRef<{ in: Compartment; now: LineEnds }>({ in: new Compartment(), now: lineEndsOf(text) });
  const reading = useRef(new Compartment());
  const latest = useRef({ onChange, onSave });
  latest.current = { onChange, onSave };
  const save = () => {
    latest.current.onSave();
    return true;
  };
  const { host, view } = useCodeMirror({
    path,
    label,
    left,
    doc: () => sharedDoc(path) ?? text,
    extensions: () => {
      ends.current.now = lineEndsOf(text);
      return [
        keymap.of([{ key: 'Mod-s', preventDefault: true, run: save }]),
        ends.current.in.of(ends.current.now.extension),
        sharedText(path),
        cursorIn(path),
        reading.current.of(EditorState.readOnly.of(readOnly)),
        EditorView.updateListener.of((update) => {
          if (isChangedHere(update)) latest.current.onChange(ends.current.now.textOf(update.state.doc));
        }),
      ];
    },
  });

  // This is a layout effect, because a key that is pressed before a later effect would count as a difference.
  useLayoutEffect(() => {
    const editor = view.current;
    if (!editor || ends.current.now.textOf(editor.state.doc) === text) return;
    ends.current.now = lineEndsOf(text);
    editor.dispatch({ effects: ends.current.in.reconfigure(ends.current.now.extension) });
    editor.dispatch({ changes: differenceOf(editor.state.doc.toString(), editor.state.toText(text).toString()) });
  }, [text, view]);

  useEffect(() => {
    view.current?.dispatch({ effects: reading.current.reconfigure(EditorState.readOnly.of(readOnly)) });
  }, [readOnly, view]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same line in another file is another target
  useEffect(() => {
    const editor = view.current;
    if (!editor || line === undefined) return;
    const { from } = editor.state.doc.line(Math.min(Math.max(line, 1), editor.state.doc.lines));
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    editor.focus();
  }, [line, path]);

  return <div ref={host} style={codeHostStyle} />;
}
