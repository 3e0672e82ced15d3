export { appendEvent, appendEvents, type NewEvent } from './append-event.ts';
export { deleteEventsOlderThan } from './events.sql.ts';
