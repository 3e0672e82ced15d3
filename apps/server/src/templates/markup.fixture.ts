const empty = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);
const raw = new Set(['script', 'style']);

/**
 * Why the HTML is not well-formed: tags must nest, attributes be quoted and special characters be escaped. Null if it
 * is.
 */
export function brokenMarkup(html: string): string | null {
  const open: string[] = [];
  let at = 0;
  const token =
    /<!doctype [^>]*>|<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9-]*)((?:\s+[a-zA-Z:-]+(?:="[^"<]*")?)*)\s*(\/?)>/giy;
  while (at < html.length) {
    const next = html.indexOf('<', at);
    const text = html.slice(at, next < 0 ? undefined : next);
    if (/&(?![a-z]+;|#\d+;|#x[0-9a-f]+;)/i.test(text)) return `a bare & in ${text}`;
    if (next < 0) break;
    token.lastIndex = next;
    const match = token.exec(html);
    if (!match) return `no tag at ${html.slice(next, next + 40)}`;
    const [, slash, tag = '', attributes = '', closed] = match;
    if (/&(?![a-z]+;|#\d+;|#x[0-9a-f]+;)/i.test(attributes)) return `a bare & in ${attributes}`;
    at = token.lastIndex;
    const name = tag.toLowerCase();
    if (name === '' || closed || empty.has(name)) continue;
    if (slash && open.pop() !== name) return `</${name}> closes something else`;
    if (!slash) open.push(name);
    if (!slash && raw.has(name)) at = html.indexOf(`</${name}`, at);
  }
  return open.length === 0 ? null : `<${open.join('><')}> are not closed`;
}
