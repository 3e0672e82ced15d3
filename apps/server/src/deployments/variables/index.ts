export { inheritedVariables, inheritedVersions } from './inherit.service.ts';
export { variableRoutes } from './variables.routes.ts';
export { namesChangedSince, sealedProjectVariables } from './variables.sql.ts';
