<<<<<<< HEAD
export { noTexts } from './no-texts.ts';
export type { LiveConnection, LiveOwnership, LivePeer, LiveTexts } from './peer.ts';
=======
export { commentRoutes } from './comments.routes.ts';
export { createLiveTexts } from './live-texts.ts';
export { createLiveMetrics } from './metrics.ts';
export type { LiveConnection, LiveOwnership, LivePeer, LiveTexts } from './peer.ts';
export type { LiveEngine } from './room.ts';
>>>>>>> 32c857f (live: the texts of sessions, their revisions, storage and saving)
