export { commentBySocket } from './comment-messages.ts';
export { commentRoutes } from './comments.routes.ts';
