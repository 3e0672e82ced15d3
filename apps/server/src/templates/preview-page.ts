import { isUtf8 } from 'node:buffer';
import { createBudget } from '../foundation/concurrency/budget.ts';
import { html } from './escape.ts';
import type { TemplateFile } from './fill.ts';
import { readmeHtml } from './readme-html.ts';
import type { Template } from './template.ts';

/** Longest file that is shown, and maximum number of bytes of all shown files. The others are only listed. */
const longestShown = 64 * 1024;
const maxShown = 512 * 1024;

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentcolor 18%, transparent); }
body { background: light-dark(#faf9f7, #131211); color: light-dark(#1c1b19, #e9e7e4); font: 16px/1.6 ui-sans-serif, system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
header, section { border-bottom: 1px solid var(--line); padding-bottom: 1rem; margin-bottom: 1rem; }
pre, code { font: 14px/1.5 ui-monospace, monospace; }
pre { overflow: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; }
li, summary { overflow-wrap: anywhere; } summary { cursor: pointer; } small { opacity: .7; }
h1 { line-height: 1.2; }`;

/** A page for a template that is not a site itself: its description, README and files, without scripts. */
export async function previewPage(template: Template, files: readonly TemplateFile[]): Promise<string> {
  const readme = files.find(({ path }) => /^\/readme\.(md|markdown)$/i.test(path));
  const about = [...new Set([template.category, template.language, ...template.tags])].map(html).join(' · ');
  const entries = await entriesOf(files);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(template.name)}</title>
<style>${style}</style>
</head>
<body>
<header><strong>${html(template.name)}</strong>: ${html(template.description)}<br><small>${about}</small></header>
<section>${readme ? readmeHtml(readme.content) : '<p>It has no README.</p>'}</section>
<main><h2>${files.length === 1 ? '1 file' : `${files.length} files`}</h2>
${entries.join('\n')}
</main>
</body>
</html>
`;
}

/** Renders the files. Escaping takes time, so other requests get turns in between. */
async function entriesOf(files: readonly TemplateFile[]): Promise<string[]> {
  const budget = createBudget({
    name: 'template page',
    ms: 10_000,
    message: 'The template takes too long to render',
  });
  const entries: string[] = [];
  let shown = 0;
  for (const file of files) {
    await budget.maybeYield();
    budget.spend({ entries: 1 });
    const { length } = file.content;
    const isShown = length <= longestShown && shown + length <= maxShown && isText(file);
    if (isShown) shown += length;
    entries.push(entry(file, isShown));
  }
  return entries;
}

function entry({ path, content }: TemplateFile, isShown: boolean): string {
  const title = `${html(path.slice(1))} <small>${content.length} bytes</small>`;
  if (!isShown) return `<p>${title}</p>`;
  return `<details><summary>${title}</summary><pre>${html(content.toString('utf8'))}</pre></details>`;
}

const isText = ({ content }: TemplateFile): boolean => !content.includes(0) && isUtf8(content);
