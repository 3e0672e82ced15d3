export { appendCausedEvents, appendEvent, appendEvents, type CausedEvent, type NewEvent } from './append-event.ts';
export {
  deleteEventsOlderThan,
  findFileActor,
  type MovedFile,
  readMoved,
} from './events.sql.ts';
export { onEvents, shareEvents } from './nudge.ts';
export { cutSnapshot, formatSnapshot, isSameSnapshot, nothingSeen, parseSnapshot } from './snapshot.ts';
