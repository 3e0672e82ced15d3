import { lazy, Suspense } from 'react';
import { Loading } from './loading.tsx';
import type { MarkdownProps } from './markdown-elements.tsx';

const MarkdownDocument = lazy(() => import('./markdown-document.tsx'));

/** A Markdown text as a document. Its parser is loaded on first use. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<Loading />}>
      <MarkdownDocument {...props} />
    </Suspense>
  );
}
