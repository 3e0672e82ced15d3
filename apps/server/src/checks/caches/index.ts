export { cacheKey } from './cache-key.ts';
export {
  adoptCaches,
  dropCache,
  dropCachesOf,
  dropUnusedCaches,
  putCache,
  useCache,
} from './caches.sql.ts';
