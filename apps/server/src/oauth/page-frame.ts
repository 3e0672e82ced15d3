import { createHash } from 'node:crypto';
import { type Html, html } from './html.ts';

const style = `
:root { color-scheme: light dark; --paper: #fff; --back: #f4f3f0; --ink: #1f1d1a; --soft: #6b665e; --line: #dedad2;
  --main: #8a3b12; --on-main: #fff; --bad: #a31515; }
@media (prefers-color-scheme: dark) { :root { --paper: #211f1c; --back: #161513; --ink: #ece8e1; --soft: #a19b91;
  --line: #3a3733; --main: #e0915f; --on-main: #1b1208; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--back);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: .75rem; overflow-wrap: anywhere; }
.mark { margin: 0 0 1.25rem; color: var(--main); font-weight: 600; letter-spacing: .02em; }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
.soft { color: var(--soft); font-size: .9rem; }
.bad { color: var(--bad); }
ul { margin: 0 0 1.25rem; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: .5rem; }
li { padding: .6rem .9rem; }
li + li { border-top: 1px solid var(--line); }
li code { display: block; color: var(--soft); font-size: .8rem; }
label { display: block; margin: 0 0 1rem; font-size: .9rem; color: var(--soft); }
input { display: block; width: 100%; margin-top: .25rem; padding: .6rem .75rem; font: inherit; color: var(--ink);
  background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; }
.row { display: flex; gap: .75rem; margin: 0 0 1rem; }
button { flex: 1; padding: .65rem 1rem; font: inherit; font-weight: 600; border-radius: .5rem; cursor: pointer;
  border: 1px solid var(--line); background: var(--paper); color: var(--ink); }
button.main { border-color: var(--main); background: var(--main); color: var(--on-main); }
button.link { flex: none; padding: 0; border: 0; background: none; font-weight: 400; font-size: .9rem;
  color: var(--soft); text-decoration: underline; }
:focus-visible { outline: 2px solid var(--main); outline-offset: 2px; }
`;

/** The only thing that the page may use besides itself; there is no script. */
const styleHash = createHash('sha256').update(style).digest('base64');

export function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Bottega</title>
<style>${{ html: style }}</style>
</head>
<body>
<main>
<p class="mark">Bottega</p>
${content}
</main>
</body>
</html>
`.html;
}

/** `formTarget`: where a form of the page may lead in the end; browsers hold its redirects to this too. */
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
    // Not `no-referrer`: browsers would then send a form with `Origin: null`, as if it came from anywhere.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

/** An app's address as the policy names it: an origin, or the scheme of its own. */
export function formTargetOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? origin : protocol;
}
