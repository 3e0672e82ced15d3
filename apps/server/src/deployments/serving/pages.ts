import { createHash } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { acceptedLanguage } from '../../foundation/http/answers/accepted-language.ts';
import { inGerman, statusInGerman } from './pages.words.ts';

const style = `
:root { color-scheme: light dark; --ground: #faf9f7; --paper: #fff; --ink: #1c1b19; --soft: #5e5a53; --line: #e7e5e1; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #131211; --paper: #1b1a18; --ink: #e9e7e4; --soft: #a8a49e; --line: #34322f; }
}
body { margin: 0; padding: 18vh 1rem 2rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: .625rem;
  overflow-wrap: anywhere; }
small { color: var(--soft); font-variant-numeric: tabular-nums; }
h1 { margin: .25rem 0 .75rem; font-size: 1.375rem; font-weight: 600; line-height: 1.3; }
p { margin: 0; color: var(--soft); }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** A page of the service itself: one message in the visitor's language, without scripts. */
export function plainPage(response: ServerResponse, status: number, message: string): void {
  const language = acceptedLanguage(response.req.headers['accept-language']);
  const isGerman = language === 'de';
  const title = (isGerman ? statusInGerman[status] : undefined) ?? STATUS_CODES[status] ?? '';
  const said = (isGerman ? inGerman[message] : undefined) ?? message;
  const text = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${status} ${title}</title>
<style>${style}</style>
</head>
<body>
<main><small>${status}</small><h1>${title}</h1><p>${escaped(said)}.</p></main>
</body>
</html>
`;
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; sandbox`,
      vary: 'Accept-Language',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...(status === 503 && { 'retry-after': '2' }),
    })
    .end(text);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Escapes the text, which may contain output of an app. */
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => entities[sign] ?? '');

/** Answers a refused upgrade with a status line and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  endSoon(socket);
}

const lingerMs = 5_000;

/**
 * Ends this side of the connection, and reads for a limited time until the other side ends too. So nothing that was
 * sent is lost.
 */
export function endSoon(socket: Duplex): void {
  socket.end();
  socket.resume();
  const late = setTimeout(() => socket.destroy(), lingerMs);
  socket.on('close', () => clearTimeout(late));
  if (socket.closed) clearTimeout(late);
}
