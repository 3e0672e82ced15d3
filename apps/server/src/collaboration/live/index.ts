export { colorOf } from './colors.ts';
export { commentRoutes } from './comments.routes.ts';
export { createLiveTexts } from './live-texts.ts';
export { createTextMetrics } from './metrics.ts';
export type { LiveConnection, LiveOwnership, LivePeer, LiveTexts } from './peer.ts';
