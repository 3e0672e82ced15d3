import { EditorView } from '@codemirror/view';
import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { ownHistory } from '../kit/code-setup.ts';
import { lineEndsOf } from '../kit/line-ends.ts';
import { codeHostStyle, useCodeMirror } from '../kit/use-code-mirror.ts';
import { useWords } from '../words/words.tsx';
import { hunkMarks, hunksOf } from './hunk-marks.ts';
import { type Choice, currentIn, type Hunk, linesOf } from './hunks.ts';
import { mergeWords } from './merge.words.ts';

type Props = {
  path: string;
  text: string;
  /** A new version loads the text again. */
  version: number;
  names: { ours: string; theirs: string };
  change: (text: string) => void;
  /** Called when the cursor moves, with the conflict at the cursor. */
  reach: (hunk: Hunk | null) => void;
};

/** The text that will be the result of the merge. For each conflict, the user chooses a side or edits the text. */
export default function ResultPane({ path, text, version, names, change, reach }: Props) {
  const words = useWords(mergeWords);
  const [{ hunks, at }, setSeen] = useState<{ hunks: Hunk[]; at: number }>({ hunks: [], at: -1 });
  const latest = useRef({ change, reach });
  latest.current = { change, reach };
  const look = ({ state: { doc, selection } }: EditorView) => {
    const found = hunksOf(doc);
    const index = currentIn(found, doc.lineAt(selection.main.head).number);
    setSeen({ hunks: found, at: index });
    latest.current.reach(found[index] ?? null);
  };
  const { host, view } = useCodeMirror({
    path,
    label: words.result(path),
    recreateOn: version,
    doc: () => text,
    extensions: () => {
      const ends = lineEndsOf(text);
      return [
        ends.extension,
        ownHistory,
        hunkMarks,
        EditorView.updateListener.of(({ docChanged, selectionSet, state, view: editor }) => {
          if (docChanged) latest.current.change(ends.textOf(state.doc));
          if (docChanged || selectionSet) look(editor);
        }),
      ];
    },
    created: look,
  });
  const goTo = (index: number) => {
    const editor = view.current;
    if (!editor) return;
    const found = hunksOf(editor.state.doc);
    const hunk = found[(index + found.length) % found.length];
    if (!hunk) return;
    const { from } = editor.state.doc.line(hunk.from);
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  };
  const choose = (choice: Choice) => {
    const [editor, hunk] = [view.current, hunks[at]];
    if (!editor || !hunk) return;
    const { doc } = editor.state;
    const lines = linesOf(hunk, choice);
    const [from, to] = [doc.line(hunk.from).from, doc.line(hunk.to).to];
    // If no lines remain, the line break before them is removed too.
    const end = lines.length === 0 ? Math.min(to + 1, doc.length) : to;
    editor.dispatch({ changes: { from, to: end, insert: lines.join(editor.state.lineBreak) } });
    goTo(at);
  };
  return (
    <>
      <Group className="pane-head" gap={6}>
        <Text size="xs" fw={600} mr="auto" role="status">
          {hunks.length > 0 ? words.conflict(at + 1, hunks.length) : words.noneLeft}
        </Text>
        {hunks.length > 0 && (
          <>
            <Jump label={words.previous} icon={IconArrowUp} go={() => goTo(at - 1)} />
            <Jump label={words.next} icon={IconArrowDown} go={() => goTo(at + 1)} />
            {(['ours', 'theirs', 'both'] as const).map((choice) => (
              <Button
                key={choice}
                size="compact-xs"
                variant="default"
                data-hunk={choice}
                onClick={() => choose(choice)}
              >
                {choice === 'both' ? words.bothHere : words.here(names[choice])}
              </Button>
            ))}
          </>
        )}
      </Group>
      <div ref={host} style={codeHostStyle} />
    </>
  );
}

function Jump({ label, icon: Icon, go }: { label: string; icon: typeof IconArrowUp; go: () => void }) {
  return (
    <ActionIcon size="sm" variant="default" aria-label={label} title={label} onClick={go}>
      <Icon size={14} />
    </ActionIcon>
  );
}
