export { createDiskChanges, type SendDiskChange } from './disk-changes.ts';
export { credentialsHolding } from './held-credentials.ts';
export { createLiveNode } from './live-node.ts';
export { liveTextRoutes } from './live-texts.routes.ts';
export { socketRoutes } from './socket.routes.ts';
export { socketAuthenticator } from './socket-credentials.ts';
