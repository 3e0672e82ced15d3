export { createGitCaches, type GitCaches } from './cache.ts';
export { createBareRepository } from './cache-sync.ts';
export { evictCaches, markUsed } from './cache-upkeep.ts';
export { openGitHome } from './git-home.ts';
export {
  askGit,
  feedGit,
  GitError,
  type GitProcess,
  type GitProgram,
  GitSaidTooMuch,
  startGit,
  tellsOfDamage,
  tellsOfLimit,
} from './git-process.ts';
export { type Fetches, inGitTurn, mustKeepReading, whenGone } from './git-slots.ts';
export { reachableFrom } from './reachable.ts';
