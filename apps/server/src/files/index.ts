export { fileRoutes } from './files.routes.ts';
export { historyRoutes } from './history.routes.ts';
export { oneAtATime } from './one-at-a-time.ts';
export { searchRoutes, sharedFileRoutes } from './search.routes.ts';
export { shareSigner } from './share-links.ts';
