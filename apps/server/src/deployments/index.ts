export { readArtifactChunks, readArtifactContent } from './artifacts.service.ts';
export { type ArtifactFile, findArtifactFile } from './artifacts.sql.ts';
export type { Bell } from './bell.ts';
export { BuildProblem } from './build-problem.ts';
export { sealedVariables } from './deployments.sql.ts';
export { emptyDeployments } from './empty-project.sql.ts';
export { openLogWriter } from './log-writer.ts';
export { createMask } from './mask.ts';
export { restoreArtifact } from './restore-artifact.ts';
