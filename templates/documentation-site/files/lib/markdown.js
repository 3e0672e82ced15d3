/**
 * Markdown into HTML, as much as documentation needs: headings with anchors, paragraphs, lists within lists, quotes,
 * tables, rules, code, emphasis, links and pictures. Text is escaped; HTML in a page is shown, not run.
 */
export function render(text, { link = (target) => target } = {}) {
  const context = { link, anchors: new Map(), title: null };
  const html = blocks(text.replaceAll('\r\n', '\n').replaceAll('\t', '    ').split('\n'), context);
  return { html, title: context.title };
}

const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text) => text.replaceAll(/[&<>"']/g, (sign) => signs[sign]);

const marks = {
  heading: /^(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/,
  fence: /^(```+|~~~+)\s*([\w+-]*)/,
  rule: /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,})$/,
  quote: /^>\s?/,
  item: /^( {0,3})([-*+]|\d{1,9}[.)])(\s+)(.*)$/,
  divider: /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/,
};

function blocks(lines, context) {
  const parts = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    if (line.trim() === '') {
      at++;
      continue;
    }
    const read = [fence, heading, rule, quote, list, table].find((one) => one.begins(line, lines[at + 1] ?? ''));
    const { html, next } = (read ?? paragraph).read(lines, at, context);
    parts.push(html);
    at = next;
  }
  return parts.join('\n');
}

const fence = {
  begins: (line) => marks.fence.test(line),
  read(lines, at) {
    const [, mark, language] = marks.fence.exec(lines[at]);
    let end = at + 1;
    while (end < lines.length && !lines[end].startsWith(mark)) end++;
    const label = language ? ` class="language-${escapeHtml(language)}"` : '';
    return { html: `<pre><code${label}>${escapeHtml(lines.slice(at + 1, end).join('\n'))}\n</code></pre>`, next: end + 1 };
  },
};

const heading = {
  begins: (line) => marks.heading.test(line),
  read(lines, at, context) {
    const [, hashes, text] = marks.heading.exec(lines[at]);
    const html = inline(text, context);
    const plain = plainText(html);
    if (hashes.length === 1) context.title ??= plain;
    const level = hashes.length;
    return { html: `<h${level} id="${anchor(plain, context)}">${html}</h${level}>`, next: at + 1 };
  },
};

const rule = {
  begins: (line) => marks.rule.test(line),
  read: (_lines, at) => ({ html: '<hr>', next: at + 1 }),
};

const quote = {
  begins: (line) => marks.quote.test(line),
  read(lines, at, context) {
    let end = at;
    while (end < lines.length && marks.quote.test(lines[end])) end++;
    const inner = lines.slice(at, end).map((line) => line.replace(marks.quote, ''));
    return { html: `<blockquote>\n${blocks(inner, context)}\n</blockquote>`, next: end };
  },
};

const list = {
  begins: (line) => marks.item.test(line),
  read(lines, at, context) {
    const ordered = /\d/.test(marks.item.exec(lines[at])[2]);
    const items = [];
    let next = at;
    while (next < lines.length) {
      const match = marks.item.exec(lines[next]);
      if (!match || /\d/.test(match[2]) !== ordered) break;
      const indent = match[1].length + match[2].length + match[3].length;
      const inner = [match[4]];
      for (next++; next < lines.length; next++) {
        const line = lines[next];
        if (line.trim() !== '' && line.length - line.trimStart().length < indent) break;
        inner.push(line.slice(indent));
      }
      while (inner.at(-1)?.trim() === '') inner.pop();
      items.push(item(inner, context));
    }
    const tag = ordered ? 'ol' : 'ul';
    return { html: `<${tag}>\n${items.join('\n')}\n</${tag}>`, next };
  },
};

/** A single line needs no paragraph around it. */
function item(lines, context) {
  const html = blocks(lines, context);
  const only = /^<p>([\s\S]*?)<\/p>(\n<[uo]l>[\s\S]*)?$/.exec(html);
  return `<li>${only && !lines.includes('') ? `${only[1]}${only[2] ?? ''}` : html}</li>`;
}

const table = {
  begins: (line, following) => line.includes('|') && marks.divider.test(following),
  read(lines, at, context) {
    const cells = (line) => line.trim().replace(/^\|/, '').replace(/(?<!\\)\|$/, '').split(/(?<!\\)\|/);
    const row = (line, tag) =>
      `<tr>${cells(line).map((cell) => `<${tag}>${inline(cell.trim(), context)}</${tag}>`).join('')}</tr>`;
    let end = at + 2;
    while (end < lines.length && lines[end].includes('|')) end++;
    const body = lines.slice(at + 2, end).map((line) => row(line, 'td'));
    const html = `<table>\n<thead>${row(lines[at], 'th')}</thead>\n<tbody>${body.join('\n')}</tbody>\n</table>`;
    return { html, next: end };
  },
};

const paragraph = {
  read(lines, at, context) {
    let end = at + 1;
    const interrupts = (line) => [fence, heading, rule, quote, list].some((one) => one.begins(line, ''));
    while (end < lines.length && lines[end].trim() !== '' && !interrupts(lines[end])) end++;
    const text = lines.slice(at, end).map((line) => line.trim()).join('\n');
    return { html: `<p>${inline(text, context)}</p>`, next: end };
  },
};

/** What is finished is set aside, so that nothing is looked for inside of it. */
function inline(text, { link }) {
  const aside = [];
  const keep = (html) => `\ue000${aside.push(html) - 1}\ue001`;
  const marked = text
    .replaceAll(/[\ue000\ue001]/g, '')
    .replaceAll(/(`+)([^`\n]|[^`\n][^\n]*?[^`\n])\1(?!`)/g, (_all, _ticks, code) => keep(`<code>${escapeHtml(code.trim())}</code>`))
    .replaceAll(/\\([!-/:-@[-`{-~])/g, (_all, sign) => keep(escapeHtml(sign)))
    .replaceAll(/&(?:[a-z]+|#\d+|#x[0-9a-f]+);/gi, (entity) => keep(entity))
    .replaceAll(/<(https?:\/\/[^\s<>]+)>/g, (_all, url) => keep(`<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`))
    .replaceAll(/!\[([^\]\n]*)\]\(([^()\s]+)\)/g, (_all, label, target) =>
      keep(`<img src="${escapeHtml(safe(link(target)))}" alt="${escapeHtml(label)}">`),
    )
    .replaceAll(/\[([^\]\n]*)\]\(([^()\s]+)\)/g, (_all, label, target) =>
      `${keep(`<a href="${escapeHtml(safe(link(target)))}">`)}${label}${keep('</a>')}`,
    );
  return escapeHtml(marked)
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\*([^*\s][^*]*)\*/g, '<em>$1</em>')
    .replaceAll(/(?<![\p{L}\p{N}])_([^_\s][^_]*)_(?![\p{L}\p{N}])/gu, '<em>$1</em>')
    .replaceAll(/\ue000(\d+)\ue001/g, (_all, index) => aside[index]);
}

/** Nothing that a browser would run. */
const safe = (target) => (/^(?:javascript|data|vbscript):/i.test(target) ? '#' : target);

function plainText(html) {
  const text = html.replaceAll(/<[^>]*>/g, '');
  const back = Object.fromEntries(Object.entries(signs).map(([sign, entity]) => [entity, sign]));
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => back[entity]);
}

function anchor(text, { anchors }) {
  const base = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '') || 'section';
  const seen = anchors.get(base) ?? 0;
  anchors.set(base, seen + 1);
  return seen === 0 ? base : `${base}-${seen}`;
}
