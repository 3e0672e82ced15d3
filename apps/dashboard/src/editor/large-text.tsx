import type { File } from '@bottega/contract';
import { EditorState } from '@codemirror/state';
import { Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Place } from '../api/project.ts';
import { cursorIn } from '../kit/cursor-place.ts';
import { Refusal } from '../kit/refusal.tsx';
import { codeHostStyle, useCodeMirror } from '../kit/use-code-mirror.ts';
import { inBytes } from '../words/amounts.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { downloadLink, isText, readPieces } from './file-content.ts';

type Props = { place: Place; file: File };

/** A text that is too large to edit. It is shown while it arrives, without colours, which would take longer. */
export default function LargeText({ place, file }: Props) {
  const words = useWords(editorWords);
  const language = useLanguage();
  const { id, size = 0 } = file;
  const [state, setState] = useState<{ done: number; isOver: boolean; error: unknown }>(start);
  const { host, view } = useCodeMirror({
    path: '',
    label: words.content(file.path),
    recreateOn: file.checksum,
    doc: () => '',
    extensions: () => [EditorState.readOnly.of(true), cursorIn(file.path)],
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another checksum
  useEffect(() => {
    const stop = new AbortController();
    setState(start);
    const read = async () => {
      for await (const piece of readPieces(place, id, stop.signal)) {
        const editor = view.current;
        if (!editor || stop.signal.aborted) return;
        if (!isText(piece)) throw new Error(words.binary);
        editor.dispatch({ changes: { from: editor.state.doc.length, insert: piece } });
        setState((now) => ({ ...now, done: now.done + piece.length }));
      }
      setState((now) => ({ ...now, isOver: true }));
    };
    read().catch((error: unknown) => stop.signal.aborted || setState((now) => ({ ...now, isOver: true, error })));
    return () => stop.abort();
  }, [place, id, file.checksum, language]);
  const whole = inBytes(size, language);
  return (
    <>
      <Group px="sm" py={4} gap="sm" style={{ borderBottom: '1px solid var(--surface-line)' }}>
        <Text size="xs" c="dimmed" role="status">
          {state.isOver ? words.large(whole) : words.largeSoFar(inBytes(Math.min(state.done, size), language), whole)}
        </Text>
        <Button component="a" href={downloadLink(place, id)} size="compact-xs" variant="default" ml="auto">
          {words.download}
        </Button>
      </Group>
      <Refusal error={state.error} />
      <div ref={host} style={codeHostStyle} />
    </>
  );
}

const start = { done: 0, isOver: false, error: null };
