import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { escapeHtml, render } from './markdown.js';

/** Builds everything anew and says which pages there are. */
export async function buildSite({ root, output }) {
  const site = JSON.parse(await readFile(join(root, 'site.json'), 'utf8'));
  const pages = await readPages(join(root, 'docs'));
  const byFile = new Map(pages.map((page) => [page.file, page]));
  await rm(output, { recursive: true, force: true });
  for (const page of pages) {
    const { html } = render(page.text, { link: (target) => linkFrom(page, target, byFile) });
    const place = join(output, page.address);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, layout({ site, page, pages, html }));
  }
  await cp(join(root, 'assets'), join(output, 'assets'), { recursive: true });
  return pages;
}

async function readPages(directory) {
  const names = await readdir(directory, { recursive: true });
  const files = names.map((name) => name.replaceAll('\\', '/')).filter((name) => name.endsWith('.md'));
  const pages = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(directory, file), 'utf8');
      const { title } = render(text);
      return { file, address: addressOf(file), text, title: title ?? file };
    }),
  );
  // The first page first; then by name, number included.
  const key = ({ file }) => (file === 'index.md' ? '' : file);
  return pages.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** `02-guide/01-first.md` is at `guide/first.html`: numbers are for the order only. */
export function addressOf(file) {
  return file
    .split('/')
    .map((name) => name.replace(/^\d+-/, ''))
    .join('/')
    .replace(/\.md$/, '.html');
}

function linkFrom(page, target, byFile) {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(target)) return target;
  const [path, fragment] = target.split('#', 2);
  const place = posix.join(posix.dirname(page.file), path);
  if (!path.endsWith('.md')) return relative(page, place.replace(/^\.\.\/assets\//, 'assets/'), fragment);
  const other = byFile.get(place);
  if (!other) throw new Error(`docs/${page.file}: there is no page ${target}`);
  return relative(page, other.address, fragment);
}

function relative(page, address, fragment) {
  const path = posix.relative(posix.dirname(page.address), address);
  return fragment === undefined ? path : `${path}#${fragment}`;
}

function layout({ site, page, pages, html }) {
  const to = (address) => escapeHtml(relative(page, address));
  const entries = pages.map((other) => {
    const current = other === page ? ' aria-current="page"' : '';
    return `<li><a href="${to(other.address)}"${current}>${escapeHtml(other.title)}</a></li>`;
  });
  const at = pages.indexOf(page);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  const title = page.title === site.title ? site.title : `${page.title} · ${site.title}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(site.description)}">
<link rel="stylesheet" href="${to('assets/style.css')}">
</head>
<body>
<nav class="pages" aria-label="Pages">
<a class="brand" href="${to('index.html')}">${escapeHtml(site.title)}</a>
<ul>
${entries.join('\n')}
</ul>
</nav>
<main>
${html}
<nav class="around" aria-label="Before and after">
${before ? `<a rel="prev" href="${to(before.address)}">← ${escapeHtml(before.title)}</a>` : '<span></span>'}
${after ? `<a rel="next" href="${to(after.address)}">${escapeHtml(after.title)} →</a>` : '<span></span>'}
</nav>
<footer>${escapeHtml(site.footer)}</footer>
</main>
</body>
</html>
`;
}
