export { createWebhookEngine, type WebhookEngine } from './engine.ts';
export { bucketLows, percentileOf } from './response-histogram.ts';
