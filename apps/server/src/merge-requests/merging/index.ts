export { deleteSource, type Landing, land } from './land.service.ts';
export { type Merging, mergeInput, mergeRequest } from './merge.service.ts';
export { definitionBlocks, NotReady, readinessNow, readinessWith } from './readiness.service.ts';
export { reviewing } from './review.ts';
