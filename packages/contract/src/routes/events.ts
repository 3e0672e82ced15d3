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
      'The events that your webhooks would get, according to your current rights; each requires the scope to read its ' +
      'subject. Without `after`, a list starts with the oldest event that is kept, and a stream starts now. As server-sent events, each ' +
      'message is one event as in the list; its id is a cursor, and `Last-Event-ID` resumes after it, as `after` does. ' +
      'A 410 means that events after the cursor are no longer kept, or that the cursor is from another database. ' +
      'A 429 or a 503 means that your account or the service has too many open streams.',
    query: EventListQuery,
    responses: { 200: EventPage, 410: ErrorBody },
  },
});
