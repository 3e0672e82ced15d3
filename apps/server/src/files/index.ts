export { committedFields } from './commit-row.ts';
export { fileRoutes } from './files.routes.ts';
export { followHead } from './follow-head.service.ts';
export { historyRoutes } from './history.routes.ts';
export { type OneAtATime, oneAtATime } from './one-at-a-time.ts';
export { whyNotPath } from './paths.ts';
export { resolveCommit } from './refs.sql.ts';
export { searchRoutes, sharedFileRoutes } from './search.routes.ts';
export { shareSigner } from './share-links.ts';
