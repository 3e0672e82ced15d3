import { lazy, Suspense } from 'react';
import { Loading } from './loading.tsx';
import type { MarkdownProps } from './markdown-elements.tsx';

let loaded: typeof import('./markdown-document.tsx').default | undefined;

async function load() {
  const code = await import('./markdown-document.tsx');
  loaded = code.default;
  return code;
}

const MarkdownDocument = lazy(load);

/**
 * Loads the parser before there is a text. A caller that waits for both shows the text without a placeholder, which
 * React would keep for a while. If the parser cannot be loaded, it is tried again with the text.
 */
export async function expectMarkdown(): Promise<void> {
  await load().catch(() => undefined);
}

/** A Markdown text as a document. Its parser is loaded on first use. */
export function Markdown(props: MarkdownProps) {
  const Loaded = loaded;
  if (Loaded) return <Loaded {...props} />;
  return (
    <Suspense fallback={<Loading />}>
      <MarkdownDocument {...props} />
    </Suspense>
  );
}
