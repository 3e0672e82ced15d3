import { globSync, readFileSync } from 'node:fs';
import { isInstalled } from './installed.ts';

/** Matches test files that use git, in a test or while loading. */
const worksWithGit = /\/(git-\w+|head-tree|expect-filled|project-backups)\.fixture\.ts'|\('git'/;

/** Test files that cannot run because git is not installed. */
export const testsWithoutGit = (patterns: string[]): string[] =>
  isInstalled('git') ? [] : globSync(patterns).filter((path) => worksWithGit.test(readFileSync(path, 'utf8')));
