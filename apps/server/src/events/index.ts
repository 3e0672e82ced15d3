export { appendCausedEvents, appendEvent, appendEvents, type CausedEvent, type NewEvent } from './append-event.ts';
export { deleteEventsOlderThan } from './events.sql.ts';
export { onEvents } from './nudge.ts';
