import { expect, test } from 'vitest';
import { decodeCommit } from '../objects/commits.ts';
import { newCommit } from './new-commit.ts';

const owner = { id: 'usr_1', name: 'Ada', email: 'ada@example.com', username: 'ada' };
const content = { tree: Buffer.alloc(20, 1), parents: [], message: 'Change', now: new Date(0) };

test('a commit of a service account has the account as its author and the owner as its committer', () => {
  const serviceAccount = { id: 'sva_1', name: 'Robot' };
  const { author, committer } = decodeCommit(newCommit(owner, { ...content, serviceAccount }).content);
  expect(author).toMatchObject({ name: 'Robot', email: 'sva_1@service-accounts.invalid' });
  expect(committer).toMatchObject({ name: 'Ada', email: 'ada@example.com' });
});

test('a commit by an app has the user as its author and the app as its committer', () => {
  const app = { id: 'app_1', name: 'Agent' };
  const { author, committer } = decodeCommit(newCommit(owner, { ...content, app }).content);
  expect(author).toMatchObject({ name: 'Ada', email: 'ada@example.com' });
  expect(committer).toMatchObject({ name: 'Agent', email: 'app_1@apps.invalid' });
});

test('a commit of any other user has them as its author and its committer', () => {
  const { author, committer } = decodeCommit(newCommit(owner, content).content);
  expect(author).toEqual(committer);
  expect(author).toMatchObject({ name: 'Ada', email: 'ada@example.com' });
});
