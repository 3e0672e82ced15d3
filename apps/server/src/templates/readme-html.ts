import { html } from './escape.ts';

/**
 * Renders the part of Markdown that a README needs: headings, paragraphs, lists, tables as written, code, emphasis and
 * links. Text is escaped before any mark is parsed, so a README cannot add HTML. Links lead to http, https or a place
 * within the page.
 */
export function readmeHtml(content: Buffer): string {
  const text = content.subarray(0, longestText).toString('utf8');
  if (content.length > longestText) return `<pre>${html(text)}</pre>`;
  // Splits at every character that `.` does not match, so that no pattern below can backtrack without limit.
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  const parts: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const block =
      fenced(lines, at) ?? heading(lines, at) ?? list(lines, at) ?? table(lines, at) ?? paragraph(lines, at);
    if (block.html !== '') parts.push(block.html);
    at = block.next;
  }
  return parts.join('\n');
}

const longestText = 65_536;

type Block = { html: string; next: number };

const fence = /^ {0,3}(```+|~~~+)/;
const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s(.*)$/;
const title = /^ {0,3}(#{1,6})\s(.*)$/;

function fenced(lines: string[], at: number): Block | null {
  const mark = fence.exec(lines[at] ?? '')?.[1];
  if (mark === undefined) return null;
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? '').trimStart().startsWith(mark)) end++;
  return { html: `<pre><code>${html(lines.slice(at + 1, end).join('\n'))}</code></pre>`, next: end + 1 };
}

function heading(lines: string[], at: number): Block | null {
  const [, marks = '', text = ''] = title.exec(lines[at] ?? '') ?? [];
  if (marks === '') return null;
  return { html: `<h${marks.length}>${inline(withoutMarks(text))}</h${marks.length}>`, next: at + 1 };
}

/** Removes the marks at the end of a heading. A heading may end with the same marks that it begins with. */
function withoutMarks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return text.slice(0, end).trim();
}

function list(lines: string[], at: number): Block | null {
  if (!item.test(lines[at] ?? '')) return null;
  const tag = /^\s*\d/.test(lines[at] ?? '') ? 'ol' : 'ul';
  const items: string[][] = [];
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const text = item.exec(line)?.[1];
    if (text !== undefined) items.push([text.trim()]);
    else if (/^\s/.test(line) && line.trim() !== '') items.at(-1)?.push(line.trim());
    else break;
  }
  const shown = items.map((texts) => `<li>${inline(texts.join(' '))}</li>`);
  return { html: `<${tag}>${shown.join('')}</${tag}>`, next: end };
}

function table(lines: string[], at: number): Block | null {
  if (!/^\s*\|/.test(lines[at] ?? '') || !/^\s*\|[\s:|-]+\|\s*$/.test(lines[at + 1] ?? '')) return null;
  let end = at + 2;
  while (/^\s*\|/.test(lines[end] ?? '')) end++;
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\|/, '')
      .replace(/(?<!\\)\|$/, '')
      .split(/(?<!\\)\|/);
  const row = (line: string, tag: string) =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
      .join('')}</tr>`;
  const body = lines.slice(at + 2, end).map((line) => row(line, 'td'));
  return { html: `<table>${row(lines[at] ?? '', 'th')}${body.join('')}</table>`, next: end };
}

function paragraph(lines: string[], at: number): Block {
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    if (line.trim() === '' || (end > at && (fence.test(line) || title.test(line) || item.test(line)))) break;
  }
  const text = lines.slice(at, end).join('\n').trim();
  return { html: text === '' ? '' : `<p>${inline(text)}</p>`, next: Math.max(end, at + 1) };
}

/**
 * Renders the marks within a line. Finished parts are replaced with markers and put back at the end, so that they are
 * not parsed again. The markers cannot occur in the text.
 */
function inline(text: string): string {
  const kept: string[] = [];
  const keep = (markup: string): string => `\ue000${kept.push(markup) - 1}\ue001`;
  const marked = withCode(text.replaceAll(/[\ue000\ue001]/g, ''), (code) => keep(`<code>${html(code.trim())}</code>`))
    .replaceAll(/\\([!-/:-@[-`{-~])/g, (_whole, sign: string) => keep(html(sign)))
    .replaceAll(/!?\[([^[\]\n]*)\]\(([^()\s]+)\)/g, (_whole, label: string, target: string) =>
      link(label, target, keep),
    );
  return html(marked)
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\*([^*\s][^*]*)\*/g, '<em>$1</em>')
    .replaceAll(/\ue000(\d+)\ue001/g, (_whole, index: string) => kept[Number(index)] ?? '');
}

/**
 * Replaces code, which is enclosed by two runs with the same number of backticks. All runs are found first, because a
 * search for the end of each would read the rest of the text again and again.
 */
function withCode(text: string, shown: (code: string) => string): string {
  const parts = text.split(/(`+)/);
  const latest = new Map<number, number>();
  const endOf = new Map<number, number>();
  for (let at = parts.length - 2; at > 0; at -= 2) {
    const { length } = parts[at] ?? '';
    const end = latest.get(length);
    if (end !== undefined) endOf.set(at, end);
    latest.set(length, at);
  }
  const marked = [parts[0] ?? ''];
  for (let at = 1; at < parts.length; ) {
    const end = endOf.get(at);
    marked.push(end === undefined ? (parts[at] ?? '') : shown(parts.slice(at + 1, end).join('')));
    at = end ?? at;
    marked.push(parts[at + 1] ?? '');
    at += 2;
  }
  return marked.join('');
}

function link(label: string, target: string, keep: (markup: string) => string): string {
  // A relative link has no target here.
  if (!/^https?:\/\//i.test(target)) return label;
  return `${keep(`<a href="${html(target)}" rel="nofollow noopener">`)}${label}${keep('</a>')}`;
}
