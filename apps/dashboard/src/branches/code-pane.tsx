import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useRef } from 'react';
import { ownHistory } from '../kit/code-setup.ts';
import { lineEndsOf } from '../kit/line-ends.ts';
import { codeHostStyle, useCodeMirror } from '../kit/use-code-mirror.ts';

/** `change` gets every edit; without it the text is read-only. A new `version` loads the text again. */
type Props = { path: string; label: string; text: string; version?: number; change?: (text: string) => void };

export default function CodePane({ path, label, text, version = 0, change }: Props) {
  const latest = useRef(change);
  latest.current = change;
  const { host } = useCodeMirror({
    path,
    label,
    recreateOn: change ? version : text,
    doc: () => text,
    extensions: () => {
      const ends = lineEndsOf(text);
      return [
        ends.extension,
        ownHistory,
        EditorState.readOnly.of(!change),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) latest.current?.(ends.textOf(state.doc));
        }),
      ];
    },
  });
  return <div ref={host} style={{ ...codeHostStyle, height: '100%' }} />;
}
