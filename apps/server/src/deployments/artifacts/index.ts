export { createArtifactStore } from './artifact-store.ts';
export {
  type ByteRange,
  readArtifactChunks,
  readArtifactContent,
  readArtifactRange,
  storeArtifact,
} from './artifacts.service.ts';
export { type ArtifactFile, findArtifactFile, listArtifactFiles } from './artifacts.sql.ts';
export { collectOutput, type Output, type Wanted } from './collect.service.ts';
export { emptyDeployments } from './empty-project.sql.ts';
export { keepOutput } from './keep-output.service.ts';
export { purgeArtifacts } from './purge.service.ts';
export { restoreArtifact } from './restore-artifact.ts';
export { dropWhatIsUnused, planStorage, type StorageLimits } from './storage.ts';
export { readRootFile, treeOutput } from './tree-files.ts';
