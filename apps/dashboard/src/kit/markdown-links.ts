/** The target of a link or a picture in a document; null if it is not allowed. */
export type Destination =
  | { kind: 'outside'; href: string }
  | { kind: 'file'; path: string }
  | { kind: 'section'; id: string };

/** `base` is the path of the document in its project. Relative paths start in its folder. */
export function destinationOf(href: string, base: string): Destination | null {
  if (href.startsWith('#')) return { kind: 'section', id: sectionId(decoded(href.slice(1))) };
  // Only these schemes are allowed, because a link with another scheme may contain a script.
  if (/^(https?:\/\/|mailto:)/i.test(href)) return { kind: 'outside', href };
  if (/^([a-z][a-z0-9+.-]*:|\/\/|\\)/i.test(href)) return null;
  const [path = ''] = href.split(/[?#]/, 1);
  return { kind: 'file', path: pathFrom(base, decoded(path)) };
}

function pathFrom(base: string, relative: string): string {
  const above = relative.startsWith('/') ? [] : base.split('/').slice(1, -1);
  for (const part of relative.split('/')) {
    if (part === '..') above.pop();
    else if (part !== '' && part !== '.') above.push(part);
  }
  return `/${above.join('/')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The id of a heading. The prefix prevents a document from using an id of the page itself. */
export const sectionId = (heading: string): string =>
  `section-${heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')}`;
