export { noTexts } from './no-texts.ts';
export type { LiveConnection, LiveOwnership, LivePeer, LiveTexts } from './peer.ts';
