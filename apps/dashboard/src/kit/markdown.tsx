import { lazy, Suspense } from 'react';
import { Loading } from './loading.tsx';
import type { MarkdownProps } from './markdown-elements.tsx';

const load = () => import('./markdown-document.tsx');
const MarkdownDocument = lazy(load);

/** Loads the parser while the text is still on its way. If this fails, it is tried again once the text is there. */
export const expectMarkdown = (): void => void load().catch(() => undefined);

/** A Markdown text as a document. Its parser is loaded on first use. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<Loading />}>
      <MarkdownDocument {...props} />
    </Suspense>
  );
}
