import type { FastifyRequest } from 'fastify';
import { type Html, html } from '../foundation/http/answers/html.ts';
import type { App } from '../foundation/http/index.ts';

/** Answers of the API by their address, as JSON. */
export type GivenAnswers = ReadonlyMap<string, string>;

/** By which the API knows who asks, and from where. */
const ofCaller = ['host', 'cookie', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'];

/**
 * What the caller of a page would ask the API for next. It is asked here, by requests that never leave the process, so that
 * rights and limits are those of the API. All or nothing: whatever is refused, the page itself asks for and deals with.
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

/** For the dashboard's script, as data: a browser runs nothing of this type. */
export const asData = (given: GivenAnswers): string =>
  [...given]
    .map(([url, json]) => {
      const data: Html = { html: json.replaceAll('<', '\\u003c') };
      return html`<script type="application/json" data-answer="${url}">${data}</script>`.html;
    })
    .join('');

type Listed = { data: { id: string; name: string; description: string }[] };

/** The list of projects, to be read and followed while the script is on its way. It has no words, so no language. */
export function drawnList(json: string | undefined): string {
  if (json === undefined) return '';
  const rows = (JSON.parse(json) as Listed).data.map(
    ({ id, name, description }) =>
      html`<tr><td><a href="/projects/${id}/overview">${name}</a><br>${description}</td></tr>`,
  );
  return html`<table><tbody>${rows}</tbody></table>`.html;
}
