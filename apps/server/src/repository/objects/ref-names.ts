export const branchPrefix = 'refs/heads/';

/** The branch that REST reads and writes if a request specifies none. */
export const mainBranch = 'main';
export const mainRef = `${branchPrefix}${mainBranch}` as const;

/** A branch of a project, whose head is read or written. */
export type HeadAt = { projectId: string; branch: string };

export const refOf = ({ branch }: Pick<HeadAt, 'branch'>): string => branchPrefix + branch;
export const isMain = ({ branch }: Pick<HeadAt, 'branch'>): boolean => branch === mainBranch;
export const onMain = (projectId: string): HeadAt => ({ projectId, branch: mainBranch });

/**
 * The prefix of references to commits that somebody wants to have checked before they are on a branch. The id of the
 * person and the id of the commit follow the prefix.
 */
export const checksPrefix = 'refs/checks/';

const ownPrefixes = [checksPrefix, 'refs/merge-requests/'];

/** Whether the service made the reference for its own purposes. People see only branches and tags. */
export const isOfService = (name: string): boolean => ownPrefixes.some((prefix) => name.startsWith(prefix));
