import type { File } from '@bottega/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Place } from '../api/project.ts';
import { useWords } from '../words/words.tsx';
import { readParts } from './page-parts.ts';
import { previewWords } from './preview.words.ts';
import type { Tab } from './tabs.ts';

type Props = { place: Place; files: readonly File[]; tabs: Tab[]; tab: Tab };

/**
 * Shows the page as it is edited, in a frame without an origin. The scripts of the page run in that frame, and can
 * reach neither the dashboard nor the user's session. The frame loads nothing, so the project's files that the page
 * refers to are passed to it.
 */
export function HtmlPreview({ place, files, tabs, tab }: Props) {
  const words = useWords(previewWords);
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const drafts = Object.fromEntries(tabs.map(({ path, draft }) => [path, draft]));
  const [shown] = useDebouncedValue(JSON.stringify([tab.path, drafts]), 300);
  const { data: document } = useQuery({
    queryKey: ['preview', place, shown],
    queryFn: async () => ({ page: tab.draft, parts: await readParts({ place, files, drafts, path: tab.path }) }),
    placeholderData: (former) => former,
    gcTime: 0,
  });
  useEffect(() => {
    const heard = ({ source, data }: MessageEvent) => {
      if (source === frame.current?.contentWindow && data === 'ready') setReady(true);
    };
    window.addEventListener('message', heard);
    return () => window.removeEventListener('message', heard);
  }, []);
  useEffect(() => {
    // The target is `*`, because the frame has no origin that could be named. It only gets the document that it shows.
    if (isReady && document) frame.current?.contentWindow?.postMessage(document, '*');
  }, [isReady, document]);
  return (
    <iframe
      ref={frame}
      className="preview-frame"
      src="/preview-frame"
      sandbox="allow-scripts"
      title={words.of(tab.path)}
    />
  );
}
