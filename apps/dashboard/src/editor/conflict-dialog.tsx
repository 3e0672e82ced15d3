import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { Box, Button, Group, Modal, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { codeLook } from '../kit/code-look.ts';
import { lineEndsOf } from '../kit/line-ends.ts';

type Props = {
  theirs: string;
  mine: string;
  take: () => void;
  save: (text: string) => void;
  close: () => void;
  words: Record<'conflict' | 'conflictHint' | 'theirs' | 'mine', string>;
};

/**
 * Shows the user's text and somebody else's text of a file side by side. Neither is lost before the user presses one of
 * the two buttons.
 */
export default function ConflictDialog({ theirs, mine, take, save, close, words }: Props) {
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  const merge = useRef<MergeView | null>(null);
  useEffect(() => {
    if (!host) return;
    const view = new MergeView({
      parent: host,
      a: {
        doc: theirs,
        extensions: [
          EditorState.readOnly.of(true),
          lineEndsOf(theirs).extension,
          lineNumbers(),
          codeLook,
          labelled(words.theirs),
        ],
      },
      b: { doc: mine, extensions: [lineEndsOf(mine).extension, lineNumbers(), codeLook, labelled(words.mine)] },
      collapseUnchanged: { margin: 3, minSize: 6 },
    });
    merge.current = view;
    return () => view.destroy();
  }, [host, theirs, mine, words]);
  return (
    <Modal opened onClose={close} title={words.conflict} size="90%">
      <Text size="sm" mb="sm">
        {words.conflictHint}
      </Text>
      <Box ref={setHost} mah="60dvh" className="surface" style={{ overflow: 'auto' }} tabIndex={0} />
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={take}>
          {words.theirs}
        </Button>
        <Button onClick={() => save(merge.current ? lineEndsOf(mine).textOf(merge.current.b.state.doc) : mine)}>
          {words.mine}
        </Button>
      </Group>
    </Modal>
  );
}

const labelled = (label: string) => EditorView.contentAttributes.of({ 'aria-label': label });
