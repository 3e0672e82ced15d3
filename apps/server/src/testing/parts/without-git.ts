import { globSync, readFileSync } from 'node:fs';
import { isInstalled } from './installed.ts';

/** What such a file works with, be it in one test or while it is loaded. */
const worksWithGit = /\/(git-\w+|head-tree|expect-filled|project-backups)\.fixture\.ts'|\('git'/;

/** Files of tests that cannot run because git is not installed. */
export const testsWithoutGit = (patterns: string[]): string[] =>
  isInstalled('git') ? [] : globSync(patterns).filter((path) => worksWithGit.test(readFileSync(path, 'utf8')));
