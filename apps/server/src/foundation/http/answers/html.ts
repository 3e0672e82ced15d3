/** Text that is already HTML. All other values in a template are escaped. */
export type Html = { readonly html: string };

type Part = string | number | Html | Part[];

export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: texts.reduce((before, text, index) => before + written(parts[index - 1] ?? '') + text) };
}

function written(part: Part): string {
  if (Array.isArray(part)) return part.map(written).join('');
  return typeof part === 'object' ? part.html : escaped(String(part));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
