export { type Batches, keepBatches } from './batches.ts';
export { awaitsDeletionEvent, isWantedIn, readInterest } from './interest.sql.ts';
export { renderPayload } from './payloads.ts';
export { insertDeliveries, type NewDelivery, type NewPayload, type OutboxEvent } from './relay.sql.ts';
export { createRelay, type Relay } from './relay.ts';
export { rememberSubscribers, type Subscriber, type Subscribers } from './subscribers.ts';
