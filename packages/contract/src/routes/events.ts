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
      'Returns the events that a webhook of yours would receive, as far as your current rights allow. Each event requires the scope to read its ' +
      'subject. Without `after`, a list starts with the oldest stored event, and a stream starts with the next event. In a stream, each ' +
      'message contains one event in the same form as in the list. The id of the message is a cursor. Send it as `Last-Event-ID` or `after` to resume after this event. ' +
      'A 410 means that events after the cursor are no longer stored, or that the cursor is from another database. ' +
      'A 429 means that your account has too many open streams, and a 503 means that the service has too many.',
    query: EventListQuery,
    responses: { 200: EventPage, 410: ErrorBody },
  },
});
