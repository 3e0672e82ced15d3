export { type GitPerson, type ServedGit, serveGit } from './serve-git.ts';
