import { routes } from '@bottega/contract';
import { asksForEvents, lastEventIdOf, sendEvents } from '../foundation/http/answers/server-sent-events.ts';
import { type App, handle, principalOf } from '../foundation/http/index.ts';
import { listEvents, positionOf } from './list.service.ts';
import { openStream, type Streams } from './stream.service.ts';
import { wantedBy } from './wanted.ts';

type Options = Streams & { publicUrl(): string };

export function eventRoutes(app: App, { publicUrl, ...streams }: Options): void {
  handle(app, routes.listEvents, async (request, reply) => {
    const principal = principalOf(request);
    const wanted = wantedBy(principal, request.query);
    // Both kinds of responses are already text here, so their type differs from the schema that describes them.
    if (!asksForEvents(request)) {
      const { text, next, more } = await listEvents(streams.db, wanted, request.query);
      if (more) reply.header('link', nextLink(request.url, publicUrl(), next));
      return reply.type('application/json; charset=utf-8').send(text as never);
    }
    const start = positionOf(lastEventIdOf(request) ?? request.query.after);
    const { texts, close } = await openStream(streams, { request, principal, wanted, start });
    return sendEvents(reply as never, texts, close) as never;
  });
}

/** The `Link` header of RFC 8288. */
function nextLink(url: string, publicUrl: string, next: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('after', next);
  return `<${publicUrl}${path}?${parameters}>; rel="next"`;
}
