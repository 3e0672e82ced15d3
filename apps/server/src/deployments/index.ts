export { emptyDeployments } from './artifacts/index.ts';
export { describeSandbox } from './builds/index.ts';
export { movePieces, objectReader, objectsLock, tryBucket } from './pieces/index.ts';
export { sealedVariables } from './state/index.ts';
export { sealedProjectVariables } from './variables/index.ts';
