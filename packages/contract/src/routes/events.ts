import { ErrorBody } from '../errors.ts';
import { EventListQuery, EventPage } from '../event-stream.ts';
import { defineRoutes } from './route.ts';

export const eventRoutes = defineRoutes('Events', {
  listEvents: {
    address: 'GET /events',
    access: 'signed-in',
    forServiceAccounts: true,
    summary: 'List your events; with `Accept: text/event-stream`, follow them',
    description:
      'The events that a webhook of yours would get, by your rights as they are now; each needs the scope to read what it is ' +
      'about. Without `after`, a list begins with the oldest that is kept, and following begins now. As server-sent events, every ' +
      'message is one event as in the list; its id is a cursor, and `Last-Event-ID` goes on behind it, as `after` does. ' +
      'A 410 says that events behind the cursor are no longer kept, or that it is of another database. ' +
      'A 429 or a 503 says that there are too many streams, of your account or in all.',
    query: EventListQuery,
    responses: { 200: EventPage, 410: ErrorBody },
  },
});
