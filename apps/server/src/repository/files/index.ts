export { idOfPath } from './at-ref.service.ts';
export { type DownloadInterest, noteDownloads } from './downloads.ts';
export { fileRoutes } from './files.routes.ts';
export { listTree } from './files.service.ts';
export { historyRoutes } from './history.routes.ts';
export { contentReader } from './read-content.service.ts';
export { searchRoutes, sharedFileRoutes } from './search.routes.ts';
export { shareSigner } from './share-links.ts';
