export { loadBuiltIns } from './built-in.ts';
export { templatePreviewRoutes } from './preview.routes.ts';
export { previewSigner } from './preview-links.ts';
export { createSamples } from './samples.ts';
export { fromTemplate } from './start-project.service.ts';
export { templateGitRoutes } from './template-git.routes.ts';
export { templateRoutes } from './templates.routes.ts';
