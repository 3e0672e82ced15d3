import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { Box, Text } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { yCollab, yUndoManagerKeymap } from 'y-codemirror.next';
import { cursorIn } from '../kit/cursor-place.ts';
import { Loading } from '../kit/loading.tsx';
import { codeHostStyle, type Left, useCodeMirror } from '../kit/use-code-mirror.ts';
import { useWords } from '../words/words.tsx';
import { type Mark, newMarks } from './comment-marks.ts';
import { commentWords } from './comments.words.ts';
import { type EditorHandle, handleOf } from './editor-handle.ts';
import type { LiveFile } from './live-file.ts';
import type { LiveSession } from './live-session.ts';
import { publishCursor, remoteCursors } from './remote-cursors.ts';

type Props = {
  connection: LiveSession;
  path: string;
  label: string;
  readOnly: boolean;
  isShown: boolean;
  /** Whether it is shown where the user works, and not beside that. */
  isFocused: boolean;
  line?: number | undefined;
  marks: Mark[];
  chosen: (commentId: string) => void;
  /** Called when the user asks for a comment with the keyboard. */
  comment: () => void;
  typed: () => void;
  /** Called for a change by anyone. */
  textChanged: () => void;
  handle: RefObject<EditorHandle | null>;
  left?: RefObject<Left | null> | undefined;
  /** Called when the shared text is there. Until then, this shows nothing, because the caller may show the stored text. */
  ready?: (() => void) | undefined;
};

const commentMarks = newMarks();

/** A CodeMirror with a shared text. Undo reverts only the user's own changes. */
export default function LiveEditor(props: Props) {
  const { connection, path } = props;
  const [refusal, setRefusal] = useState<string | null>(null);
  const [file, setFile] = useState<LiveFile | null>(null);
  const latestReady = useRef(props.ready);
  latestReady.current = props.ready;
  useEffect(() => {
    let isGone = false;
    const opened = connection.open(path);
    const come = (what: () => void) => () => {
      if (isGone) return;
      what();
      latestReady.current?.();
    };
    opened.whenReady(come(() => setFile(opened)));
    opened.whenRefused((reason) => come(() => setRefusal(reason))());
    return () => {
      isGone = true;
      connection.close(path);
      setFile(null);
      setRefusal(null);
    };
  }, [connection, path]);
  if (refusal !== null) {
    return (
      <Box p="md" role="alert">
        <Text size="sm">{refusal}</Text>
      </Box>
    );
  }
  return file ? <Editor {...props} file={file} /> : props.ready ? null : <Loading />;
}

type EditorProps = Props & { file: LiveFile };

function Editor({ connection, file, path, label, readOnly, isShown, isFocused, line, ...around }: EditorProps) {
  const { marks, handle, left, ...calls } = around;
  const words = useWords(commentWords);
  const reading = useRef(new Compartment());
  const latest = useRef({ words, ...calls });
  latest.current = { words, ...calls };
  const comment = () => {
    latest.current.comment();
    return true;
  };
  const save = () => {
    connection.save(path);
    return true;
  };
  const { host, view } = useCodeMirror({
    path,
    label,
    left,
    recreateOn: file,
    doc: () => file.text.toString(),
    extensions: () => [
      // Y.Text counts a carriage return as a character, and so must the editor.
      EditorState.lineSeparator.of('\n'),
      keymap.of([
        { key: 'Mod-s', preventDefault: true, run: save },
        { key: 'Mod-Alt-m', preventDefault: true, run: comment },
        ...yUndoManagerKeymap,
      ]),
      commentMarks.extension({
        label: (count) => latest.current.words.marks(count),
        chosen: (id) => latest.current.chosen(id),
      }),
      yCollab(file.text, null, { undoManager: file.undo }),
      remoteCursors(file),
      cursorIn(path),
      reading.current.of(EditorState.readOnly.of(readOnly)),
      EditorView.updateListener.of(({ transactions, docChanged }) => {
        if (docChanged) latest.current.textChanged();
        if (transactions.some((one) => one.isUserEvent('input') || one.isUserEvent('delete'))) latest.current.typed();
      }),
    ],
  });

  useEffect(() => {
    view.current?.dispatch({ effects: reading.current.reconfigure(EditorState.readOnly.of(readOnly)) });
  }, [readOnly, view]);

  useEffect(() => {
    if (view.current) commentMarks.show(view.current, marks);
  }, [marks, view]);

  useEffect(() => {
    const editor = view.current;
    if (!isFocused || !editor) return;
    handle.current = handleOf(editor);
    // Other users can follow this user to the file, even if the user has not clicked into it.
    publishCursor(file, editor.state.selection.main);
    return () => {
      handle.current = null;
      // The cursor is removed, because a user is not shown in a file that they are not looking at.
      file.awareness.setLocalStateField('cursor', null);
    };
  }, [isFocused, handle, file, view]);

  useEffect(() => {
    if (isShown && line !== undefined && view.current) handleOf(view.current).show({ line, column: 1 });
  }, [isShown, line, view]);

  return <div ref={host} style={codeHostStyle} />;
}
