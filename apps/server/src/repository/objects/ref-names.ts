export const branchPrefix = 'refs/heads/';

/** The branch that REST reads and writes if a request specifies none. */
export const mainBranch = 'main';
export const mainRef = `${branchPrefix}${mainBranch}` as const;

/** A branch of a project, whose head is read or written. */
export type HeadAt = { projectId: string; branch: string };

export const refOf = ({ branch }: Pick<HeadAt, 'branch'>): string => branchPrefix + branch;
export const isMain = ({ branch }: Pick<HeadAt, 'branch'>): boolean => branch === mainBranch;
export const onMain = (projectId: string): HeadAt => ({ projectId, branch: mainBranch });
