export { emptyMergeRequests } from './state/index.ts';
