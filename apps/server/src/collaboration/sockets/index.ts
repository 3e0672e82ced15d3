export { createLiveNode } from './live-node.ts';
export { socketRoutes } from './socket.routes.ts';
export { socketAuthenticator } from './socket-credentials.ts';
