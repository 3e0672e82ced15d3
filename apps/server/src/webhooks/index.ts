export { awaitsDeletionEvent, type OutboxEvent } from './fan-out/index.ts';
export { deleteWebhooksOfGoneProjects } from './history/index.ts';
export { olderWorkerLives } from './queue/index.ts';
export {
  compileFilters,
  mustBeAbleToHear,
  renderBody,
  renderData,
  sealedWebhookColumns,
} from './subscriptions/index.ts';
