export { readOnlyGitRoutes, repositoryIdOf } from './fetch.routes.ts';
export { gitRoutes } from './git.routes.ts';
export { createGitStreams, type GitStreams } from './git-streams.ts';
export type { Proposal, Proposals } from './propose.ts';
export type { Pushes } from './push.service.ts';
