import type { FastifyRequest } from 'fastify';
import { type Html, html } from '../foundation/http/answers/html.ts';
import type { App } from '../foundation/http/index.ts';

/** Responses of the API as JSON, by URL. */
export type GivenAnswers = ReadonlyMap<string, string>;

/** Headers by which the API identifies the caller and their address. */
const ofCaller = ['host', 'cookie', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'];

/**
 * Makes the requests that the page would send next, and returns their responses. The requests run inside the process
 * through the API, so its rights and limits apply. If one of them is refused, no response is included. The page then
 * sends its own requests and handles the error.
 */
export async function askFor(app: App, request: FastifyRequest, urls: readonly string[]): Promise<GivenAnswers> {
  const headers = Object.fromEntries(
    ofCaller.map((name) => [name, request.headers[name] ?? '']).filter(([, it]) => it),
  );
  const remoteAddress = request.socket.remoteAddress ?? '';
  const answers = await Promise.all(
    urls.map(async (url) => ({ url, answer: await app.inject({ url, headers, remoteAddress }) })),
  );
  if (answers.some(({ answer }) => answer.statusCode !== 200)) return new Map();
  return new Map(answers.map(({ url, answer }) => [url, answer.payload]));
}

/**
 * Renders the responses as script elements of a type that browsers do not execute. The dashboard's script reads them.
 */
export const asData = (given: GivenAnswers): string =>
  [...given]
    .map(([url, json]) => {
      const data: Html = { html: json.replaceAll('<', '\\u003c') };
      return html`<script type="application/json" data-answer="${url}">${data}</script>`.html;
    })
    .join('');

type Listed = { data: { id: string; name: string; description: string }[] };

/**
 * The list of projects as HTML, which users can read and use while the script loads. It contains no words, so it needs
 * no language.
 */
export function drawnList(json: string | undefined): string {
  if (json === undefined) return '';
  const rows = (JSON.parse(json) as Listed).data.map(
    ({ id, name, description }) =>
      html`<tr><td><a href="/projects/${id}/overview">${name}</a><br>${description}</td></tr>`,
  );
  return html`<table><tbody>${rows}</tbody></table>`.html;
}
