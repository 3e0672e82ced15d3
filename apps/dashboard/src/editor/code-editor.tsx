import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeSetup, loadLanguage, ownHistory } from '../kit/code-setup.ts';
import { type LineEnds, lineEndsOf } from './line-ends.ts';

type Props = {
  path: string;
  label: string;
  text: string;
  readOnly: boolean;
  line?: number | undefined;
  onChange: (text: string) => void;
  onSave: () => void;
};

/** One CodeMirror. `text` from outside replaces its content only where it differs; its undo history is its own. */
export default function CodeEditor({ path, label, text, readOnly, line, onChange, onSave }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const ends = useRef<{ in: Compartment; now: LineEnds }>({ in: new Compartment(), now: lineEndsOf(text) });
  const latest = useRef({ text, onChange, onSave });
  latest.current = { text, onChange, onSave };

  useEffect(() => {
    if (!host.current) return;
    const language = new Compartment();
    ends.current.now = lineEndsOf(latest.current.text);
    const save = () => {
      latest.current.onSave();
      return true;
    };
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          keymap.of([{ key: 'Mod-s', preventDefault: true, run: save }]),
          codeSetup,
          ends.current.in.of(ends.current.now.extension),
          ownHistory,
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(ends.current.now.textOf(state.doc));
          }),
          language.of([]),
        ],
      }),
    });
    view.current = editor;
    loadLanguage(path).then((found) => {
      if (found && view.current === editor) editor.dispatch({ effects: language.reconfigure(found) });
    });
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [path, label, readOnly]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || ends.current.now.textOf(editor.state.doc) === text) return;
    ends.current.now = lineEndsOf(text);
    editor.dispatch({ effects: ends.current.in.reconfigure(ends.current.now.extension) });
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another file at the same line is another place to go to
  useEffect(() => {
    const editor = view.current;
    if (!editor || line === undefined) return;
    const { from } = editor.state.doc.line(Math.min(Math.max(line, 1), editor.state.doc.lines));
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    editor.focus();
  }, [line, path]);

  return <div ref={host} style={{ flex: 1, minHeight: 0, overflow: 'hidden' }} />;
}
