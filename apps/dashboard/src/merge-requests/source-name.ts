import type { MergeRequest } from '@bottega/contract';

/** The branch with the changes, after the name of the fork that it is in. */
export const sourceName = ({ source, source_project: fork }: MergeRequest): string =>
  fork ? `${fork.name ?? '?'}:${source}` : source;
