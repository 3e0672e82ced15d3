export { createCaches } from './caches.service.ts';
export { checkKind } from './check-kind.ts';
export { cancelled, endWithoutWorker, reapChecks } from './finish.service.ts';
