export { emptyTexts } from './empty-project.sql.ts';
export type { LiveText } from './live-text.ts';
export { createLiveTexts } from './live-texts.ts';
export { createTextMetrics } from './metrics.ts';
export type { LiveConnection, LiveOwnership, LivePeer, LiveTexts } from './peer.ts';
export { nearestOffset, offsetAt, positionAt, textOf } from './positions.ts';
export { purgeTexts } from './purge.ts';
export type { LiveEngine } from './room.ts';
