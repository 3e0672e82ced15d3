export { commentBySocket } from './comment-messages.ts';
export { commentRoutes } from './comments.routes.ts';
export { projectCommentRoutes } from './project-comments.routes.ts';
