export { idOfPath, listBranch } from './at-ref.service.ts';
export { describeDifferences } from './commit-diff.service.ts';
export { type DownloadInterest, noteDownloads } from './downloads.ts';
export { fileRoutes } from './files.routes.ts';
export { historyRoutes } from './history.routes.ts';
export { asCommit } from './history.service.ts';
export { contentReader } from './read-content.service.ts';
export { searchRoutes, sharedFileRoutes } from './search.routes.ts';
export { shareSigner } from './share-links.ts';
