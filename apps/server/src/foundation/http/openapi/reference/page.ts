import { createHash } from 'node:crypto';
import { type Html, html } from '../../answers/html.ts';
import { errorsHtml, type Operation, operationHtml, slugOf } from './operation-html.ts';
import { inlineText, insideOf, type Schema } from './schema-html.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** The parts of the document that the page shows. */
export type Described = {
  info: { title: string; description?: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas?: Record<string, Schema> };
};

/** Renders the whole reference as one page that loads nothing else and can be read without its script. */
export function pageOf({ info, tags, paths, components }: Described): string {
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = tags.map(({ name, description = '' }) => {
    const own = all.filter(({ operation }) => operation.tags?.[0] === name);
    return html`<section aria-labelledby="tag/${slugOf(name)}"><h2 id="tag/${slugOf(name)}">${name}</h2><p>${description}</p>
${own.map(({ method, path, operation }) => operationHtml({ tag: name, method, path }, operation))}</section>
`;
  });
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Bottega API</title>
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
</head>
<body>
<header><a class="mark" href="/">Bottega</a>
<label>Search <input type="search" id="search" placeholder="/" autocomplete="off" disabled></label>
<form><label>Token <input type="password" id="token" placeholder="btg_live_…" autocomplete="off" disabled></label></form></header>
<nav aria-label="Sections"><ul>${tags.map(({ name }) => html`<li><a href="#tag/${slugOf(name)}">${name}</a></li>`)}<li><a href="#errors">Errors</a></li><li><a href="#schemas">Objects</a></li></ul></nav>
<main>
<h1>${info.title} API</h1>
<p>${inlineText(info.description ?? '')}</p>
<p><a href="/openapi.json">OpenAPI document</a> · <a href="/guide/">Guide</a></p>
<p id="found" role="status"></p>
${sections}
${errorsHtml(all.map(({ operation }) => operation))}
${schemasHtml(components.schemas ?? {})}
</main>
<script>${{ html: script }}</script>
</body>
</html>
`.html;
}

const schemasHtml = (schemas: Record<string, Schema>): Html =>
  html`<section aria-labelledby="schemas"><h2 id="schemas">Objects</h2><p>The objects that responses contain</p>
${Object.entries(schemas).map(
  ([name, schema]) =>
    html`<details class="operation" id="schema/${name}"><summary><h3><code>${name}</code></h3></summary><div class="inside">${
      schema.description ? html`<p>${inlineText(schema.description)}</p>` : ''
    }${insideOf(schema, 'answered')}</div></details>
`,
)}</section>`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows the page's own script and style, and requests to this service. */
export const referencePolicy = [
  "default-src 'self'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
