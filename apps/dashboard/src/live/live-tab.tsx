import { useDebouncedCallback } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect } from 'react';
import { Loading } from '../kit/loading.tsx';
import type { Left } from '../kit/use-code-mirror.ts';
import { useWords } from '../words/words.tsx';
import type { EditorHandle } from './editor-handle.ts';
import { liveWords } from './live.words.ts';
import { commentsQuery } from './live-api.ts';
import LiveEditor from './live-editor.tsx';
import type { Live } from './use-live.ts';
import { useMarks } from './use-marks.ts';

type Props = {
  live: Live;
  path: string;
  isShown: boolean;
  /** Whether it is shown where the user works, and not beside that. */
  isFocused: boolean;
  line: number | undefined;
  handle: RefObject<EditorHandle | null>;
  choose: (commentId: string) => void;
  comment: () => void;
  left?: RefObject<Left | null> | undefined;
  ready?: (() => void) | undefined;
};

/** One open file of a session. */
export default function LiveTab({ live, path, isShown, isFocused, line, handle, choose, comment, ...around }: Props) {
  const { left, ready } = around;
  const words = useWords(liveWords);
  const marks = useMarks(live.id, path);
  const client = useQueryClient();
  // Only the service knows whether the text of a comment still exists.
  const readComments = useDebouncedCallback(() => {
    if (marks.length > 0) void client.invalidateQueries({ queryKey: commentsQuery(live.id).queryKey });
  }, 1000);
  const followed = live.following === null ? undefined : live.state.places[live.following];
  useEffect(() => {
    if (isFocused && followed?.path === path) handle.current?.reveal(followed.position);
  }, [isFocused, followed, path, handle]);
  if (!live.connection) return ready ? null : <Loading />;
  return (
    <LiveEditor
      connection={live.connection}
      path={path}
      label={words.content(path)}
      readOnly={!live.canWrite}
      isShown={isShown}
      isFocused={isFocused}
      line={line}
      marks={marks}
      chosen={choose}
      comment={comment}
      // A user who types no longer follows somebody.
      typed={() => live.following !== null && live.follow(null)}
      textChanged={readComments}
      handle={handle}
      left={left}
      ready={ready}
    />
  );
}
