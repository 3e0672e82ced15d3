export { deploymentRoutes } from './deployments.routes.ts';
export { deployPushed } from './pushed.service.ts';
export { retireGone, retireOldPreviews } from './retire.service.ts';
