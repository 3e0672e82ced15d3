import type { MergeRequest } from '@bottega/contract';

/**
 * The reference by which the source is found in the project of the merge request: the branch or, if it is in a fork,
 * the commit.
 */
export const sourceRef = ({ source, source_project: fork, head_sha }: MergeRequest): string =>
  fork ? head_sha : source;

/** The branch with the changes, after the name of the fork that it is in. */
export const sourceName = ({ source, source_project: fork }: MergeRequest): string =>
  fork ? `${fork.name ?? '?'}:${source}` : source;
