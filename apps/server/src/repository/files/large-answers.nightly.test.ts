import type { CommitDetail } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { inProject, listFiles, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { type Clone, useDirectory, useGitClient } from '../smart-http/git-client.fixture.ts';

const service = useTestService({ settings: { BOTTEGA_DATA_DIR: useDirectory('data') } });
const client = useGitClient(service);
const refused = { status: 422, code: 'VALIDATION_ERROR' } as const;

async function treeOf(clone: Clone, entries: string[]): Promise<string> {
  await clone.write('.git/entries', `${entries.join('\n')}\n`);
  return clone.git('-c', 'alias.make=!git mktree < .git/entries', 'make');
}

describe('a branch on which a directory of 1,000 files appears under 60 names', () => {
  let place: Place;
  let commit: string;
  beforeAll(async () => {
    const { user, projectId } = await newPlace(service);
    place = { service, user, projectId };
    const clone = await client.repository();
    await clone.write('.git/blob', 'x\n');
    const blob = await clone.git('hash-object', '-w', '.git/blob');
    const names = (count: number) => Array.from({ length: count }, (_, n) => `n${String(n).padStart(3, '0')}`);
    const files = names(1_000).map((name) => `100644 blob ${blob}\t${name}`);
    const below = await treeOf(clone, files);
    const directories = names(60).map((name) => `040000 tree ${below}\t${name}`);
    commit = await clone.git('commit-tree', await treeOf(clone, directories), '-m', 'Big');
    await clone.git('push', '--quiet', client.addressOf(projectId, user.key), `${commit}:refs/heads/big`);
  });

  test('is not listed as a whole, and the refusal names another way, which works', async () => {
    const answer = await inProject(place, 'GET', '/files?ref=big&recursive=true');
    expectError(answer, refused);
    expect(answer.text).toContain('list one directory at a time');
    expect(await listFiles(place, '?ref=big')).toHaveLength(60);
    expect(await listFiles(place, '?ref=big&recursive=true&type=directory')).toHaveLength(60);
    expect(await listFiles(place, '?ref=big&recursive=true&path=/n007')).toHaveLength(1_000);
  });

  test('has a commit of which the first 3,000 files are listed', async () => {
    const { status, body } = await inProject<CommitDetail>(place, 'GET', `/commits/${commit}`);
    expect([status, body.files.length, body.truncated]).toEqual([200, 3_000, true]);
    expect([body.files[0]?.path, body.files.at(-1)?.path]).toEqual(['/n000/n000', '/n002/n999']);
  });
});

test('a head with more files than fit into one answer can be listed only one directory at a time', async () => {
  const place = await newPlace(service);
  const { id } = await writeFile(place, '/a/first.txt');
  await service.pool.query(
    `insert into files (project_id, path, parent, id, blob_sha, size, mime_type, checksum)
     select project_id, '/a/' || n, '/b', 'fil_' || n, blob_sha, size, mime_type, checksum
     from files, generate_series(1, 45000) as n where id = $1`,
    [id],
  );
  const answer = await inProject(place, 'GET', '/files?recursive=true');
  expectError(answer, refused);
  expect(answer.text).toContain('list one directory at a time');
  expect(await listFiles(place, '?path=/a')).toHaveLength(1);
});
