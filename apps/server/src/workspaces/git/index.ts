export { type ServedGit, serveGit } from './serve-git.ts';
