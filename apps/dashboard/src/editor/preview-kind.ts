export type PreviewKind = 'markdown' | 'html' | 'svg';

const kinds: [pattern: RegExp, kind: PreviewKind][] = [
  [/\.(md|mdx|markdown)$/i, 'markdown'],
  [/\.html?$/i, 'html'],
  [/\.svg$/i, 'svg'],
];

/** How a text is previewed; null if there is no preview. */
export const previewKindOf = (path: string): PreviewKind | null =>
  kinds.find(([pattern]) => pattern.test(path))?.[1] ?? null;
