import type { ServerResponse } from 'node:http';
import { acceptedLanguage } from '../../foundation/http/answers/accepted-language.ts';

/** The page for a port on which nothing listens yet. It reloads by itself until something listens. */
export function waitingPage(response: ServerResponse, port: number): void {
  const language = acceptedLanguage(response.req.headers['accept-language']);
  const words =
    language === 'de'
      ? [
          `Auf Port ${port} antwortet noch nichts`,
          'Die Seite erscheint von selbst, sobald ein Programm dort antwortet.',
        ]
      : [`Nothing listens on port ${port} yet`, 'This page changes by itself as soon as a program does.'];
  const text = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta http-equiv="refresh" content="1"><meta name="viewport" content="width=device-width">
<title>${words[0]}</title></head>
<body style="font:1rem/1.6 system-ui,sans-serif;max-width:30rem;margin:18vh auto;padding:0 1rem;color-scheme:light dark">
<h1 style="font-size:1.375rem">${words[0]}</h1><p>${words[1]}</p></body>
</html>
`;
  response
    .writeHead(502, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-bottega-port': 'closed',
    })
    .end(text);
}
