import { createHash } from 'node:crypto';
import type { Language } from '../../foundation/http/answers/accepted-language.ts';
import { type Html, html } from '../../foundation/http/answers/html.ts';

const light = `color-scheme: light; --ground: #faf9f7; --paper: #fff; --ink: #1c1b19; --soft: #5e5a53; --line: #e7e5e1;
  --edge: #d5d2cc; --main: #3a4fd8; --bad: #b42318;`;
const dark = `color-scheme: dark; --ground: #131211; --paper: #1b1a18; --ink: #e9e7e4; --soft: #a8a49e; --line: #34322f;
  --edge: #46433f; --main: #5369ec; --bad: #ff8d80;`;

/**
 * The colours, sizes and shapes of the dashboard's own sign-in page. The theme is that of the account or of the system.
 */
const style = `
:root { ${light} }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { ${dark} } }
:root[data-theme=dark] { ${dark} }
* { box-sizing: border-box; }
body { margin: 0; padding: 6rem .75rem 2rem; background: var(--ground); color: var(--ink);
  font: .875rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  -webkit-font-smoothing: antialiased; }
main { max-width: 26rem; margin: 0 auto; overflow-wrap: anywhere; }
.mark { display: flex; gap: .625rem; align-items: center; justify-content: center; margin: 0 0 1.25rem;
  font-size: 1rem; font-weight: 650; }
.paper { padding: 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: .625rem; }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; font-weight: 600; line-height: 1.3; }
p { margin: 0 0 1rem; }
form:last-child p:last-child, form:last-child { margin-bottom: 0; }
.soft { color: var(--soft); font-size: .8125rem; }
.bad { color: var(--bad); }
ul { margin: 0 0 1.25rem; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: .4375rem; }
li { padding: .5rem .75rem; }
li + li { border-top: 1px solid var(--line); }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
li code { display: block; color: var(--soft); font-size: .75rem; }
label { display: block; margin: 0 0 1rem; font-weight: 500; }
input { display: block; width: 100%; height: 2.25rem; margin-top: .25rem; padding: 0 .75rem; font: inherit;
  font-weight: 400; color: var(--ink); background: var(--paper); border: 1px solid var(--edge); border-radius: .4375rem; }
.row { display: flex; gap: .75rem; margin: 0 0 1rem; }
button { flex: 1; height: 2.25rem; padding: 0 1rem; font: inherit; font-weight: 500; border-radius: .4375rem;
  cursor: pointer; border: 1px solid var(--edge); background: var(--paper); color: var(--ink); }
button.main { border-color: var(--main); background: var(--main); color: #fff; }
button.link { flex: none; height: auto; padding: 0; border: 0; background: none; font-weight: 400; font-size: .8125rem;
  color: var(--soft); text-decoration: underline; }
:focus-visible { outline: 2px solid var(--main); outline-offset: 2px; }
@media (max-width: 36em) { body { padding-top: 2rem; } }
`;

/** The logo is inlined, because the page may load nothing. */
const mark: Html = {
  html: `<svg viewBox="0 0 32 32" width="30" height="30" aria-hidden="true"><rect width="32" height="32" rx="7"
fill="#3a4fd8"/><path fill="#fff" d="M10 7h7.2c3.4 0 5.6 1.8 5.6 4.7 0 1.9-1 3.3-2.6 3.9 2.1.5 3.4 2.1 3.4 4.3 0 3.2-2.4
5.1-6.1 5.1H10V7Zm3.6 7.3h3c1.6 0 2.5-.8 2.5-2.1s-.9-2.1-2.5-2.1h-3v4.2Zm0 7.6h3.4c1.8 0 2.8-.8 2.8-2.3
0-1.4-1-2.3-2.8-2.3h-3.4v4.6Z"/></svg>`,
};

/** The hash of the style, which is all that the Content-Security-Policy allows. The pages have no script. */
const styleHash = createHash('sha256').update(style).digest('base64');

export type Theme = 'light' | 'dark' | 'system';

type Page = { language: Language; title: string; content: Html; theme?: Theme };

export function page({ language, title, content, theme = 'system' }: Page): string {
  return html`<!doctype html>
<html lang="${language}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Bottega</title>
<style>${{ html: style }}</style>
</head>
<body>
<main>
<p class="mark">${mark}Bottega</p>
<div class="paper">
${content}
</div>
</main>
</body>
</html>
`.html;
}

/** `formTarget` is the address to which a form of the page may finally lead. Browsers also apply this to redirects. */
export function pageHeaders(formTarget?: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self'${formTarget ? ` ${formTarget}` : ''}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    // Not `no-referrer`: with it, browsers would send forms with `Origin: null`, so it would be unknown from which page
    // they come.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

/** The form target for an app's redirect URI: the origin, or the app's own scheme. */
export function formTargetOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? origin : protocol;
}
