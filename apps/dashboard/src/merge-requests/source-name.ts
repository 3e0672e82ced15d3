import type { MergeRequest } from '@bottega/contract';

/** What to look up in the request's project: the branch, or the commit if the branch is in a fork. */
export const sourceRef = ({ source, source_project: fork, head_sha }: MergeRequest): string =>
  fork ? head_sha : source;

/** The branch with the changes, after the name of the fork that it is in. */
export const sourceName = ({ source, source_project: fork }: MergeRequest): string =>
  fork ? `${fork.name ?? '?'}:${source}` : source;
