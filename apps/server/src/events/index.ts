export { appendEvent } from './append-event.ts';
export { deleteEventsOlderThan } from './events.sql.ts';
