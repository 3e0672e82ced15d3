export { createGitCaches, type GitCaches } from './cache.ts';
export { createBareRepository } from './cache-sync.ts';
export { evictCaches, markUsed, sizeOfPacks } from './cache-upkeep.ts';
export { openGitHome } from './git-home.ts';
export {
  askGit,
  describeGit,
  feedGit,
  GitError,
  type GitProcess,
  GitSaidTooMuch,
  gitDescriber,
  startGit,
  tellsOfDamage,
  tellsOfLimit,
} from './git-process.ts';
export { createGitProgram, GitMissing, type GitProgram } from './git-program.ts';
export { type Fetches, mustKeepReading, whenGone, withGitSlot } from './git-slots.ts';
export { canMerge } from './git-version.ts';
export { reachableIn } from './reachable.ts';
