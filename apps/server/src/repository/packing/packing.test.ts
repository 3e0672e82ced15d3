import type { Commit, CommitDetail } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import {
  contentAt,
  history,
  inProject,
  listFiles,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { useGitClient } from '../smart-http/git-client.fixture.ts';
import { collectNow, packNow, storedOf, writeHistory } from './packing.fixture.ts';

const service = useTestService();
const client = useGitClient(service);
const paths = ['/src/a.txt', '/src/b.txt', '/docs/deep/c.txt', '/d.txt'];

async function newHistory(commits = 120): Promise<Place & { user: Awaited<ReturnType<typeof newPlace>>['user'] }> {
  const place = await newPlace(service, { settings: { auto_preview: false, auto_deploy: false } });
  await writeHistory(place, { commits, paths });
  return place;
}

const allCommits = async (place: Place): Promise<Commit[]> =>
  (await inProject<{ data: Commit[] }>(place, 'GET', '/commits?limit=100')).body.data;

/** Everything that the API and git say of an old commit. */
async function readOld(place: Place, sha: string) {
  const commit = await inProject<CommitDetail>(place, 'GET', `/commits/${sha}`);
  const files = await listFiles(place, `?recursive=true&ref=${sha}`);
  const contents = await Promise.all(
    files
      .filter(({ type }) => type === 'file')
      .map(({ id }) => inProject(place, 'GET', `/files/${id}/content?ref=${sha}`)),
  );
  const touched = await inProject<{ data: Commit[] }>(place, 'GET', `/commits?path=${paths[2]}&ref=${sha}`);
  return {
    ...{ commit: commit.body, files, contents: contents.map(({ status, text }) => [status, text]) },
    touched: touched.body.data.map((one) => one.sha),
  };
}

describe('the history of a project', () => {
  test('is packed, and reads as before: old commits, their files and contents, and the history of a path', async () => {
    const place = await newHistory();
    const commits = await allCommits(place);
    const [old, older] = [commits[40]?.sha ?? '', commits[99]?.sha ?? ''];
    const before = [await readOld(place, old), await readOld(place, older), await listFiles(place)];
    const { rows: rowsBefore } = await storedOf(place);
    await packNow(place);
    const { packs, rows, head, charged, real } = await storedOf(place);
    expect(packs).toHaveLength(1);
    expect(packs[0]?.objects).toBe(rowsBefore);
    expect(rows, 'only rows of the head are left').toBe(head);
    expect(charged).toBe(real);
    expect([await readOld(place, old), await readOld(place, older), await listFiles(place)]).toEqual(before);
    expect(await contentAt(place, '/d.txt')).toContain('119');
    expect((await history(place)).pagination.total).toBe(120);
  });

  test('is cloned from its packs, including later commits', async () => {
    const place = await newHistory();
    await packNow(place);
    await writeFile(place, '/later.txt', 'later\n');
    const clone = await client.clone(place.projectId, place.user);
    expect(await clone.git('rev-list', '--count', 'HEAD')).toBe('121');
    expect((await clone.tryGit('fsck', '--strict', '--full')).ok).toBe(true);
    await clone.commit('Pushed', { 'pushed.txt': 'pushed\n', 'src/a.txt': 'changed\n' });
    await clone.git('push', '-q');
    expect(await contentAt(place, '/pushed.txt')).toBe('pushed\n');
    await writeHistory(place, { commits: 40, paths: ['/e.txt', '/src/f.txt'] });
    await packNow(place);
    await clone.git('pull', '-q');
    expect(await clone.git('rev-list', '--count', 'HEAD')).toBe('162');
    const again = await client.clone(place.projectId, place.user);
    expect((await again.tryGit('fsck', '--strict', '--full')).ok).toBe(true);
  });

  test('has few packs: small packs are combined with new objects', async () => {
    const place = await newHistory();
    const counts: number[] = [];
    for (let round = 0; round < 4; round++) {
      await packNow(place);
      counts.push((await storedOf(place)).packs.length);
      await writeHistory(place, { commits: 60, paths: [`/round-${round}.txt`] });
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    const { charged, real } = await storedOf(place);
    expect(charged).toBe(real);
  });

  test('is not packed while there is little to pack', async () => {
    const place = await newHistory(20);
    const before = await storedOf(place);
    await packNow(place, 100);
    expect(await storedOf(place)).toEqual(before);
  });

  test('can restore old files to the head, whose objects become rows again', async () => {
    const place = await newHistory();
    const clone = await client.clone(place.projectId, place.user);
    await packNow(place);
    await clone.git('checkout', '-q', 'HEAD~60', '--', '.');
    await clone.git('commit', '-q', '-m', 'As it was');
    await clone.git('push', '-q');
    expect((await contentAt(place, '/d.txt')).trim()).toBe(await clone.git('show', 'HEAD:d.txt'));
    expect((await putFile(place, { path: '/src/new.txt', content: 'beside the old ones\n' })).status).toBe(201);
    const { charged, real } = await storedOf(place);
    expect(charged).toBe(real);
    await packNow(place);
    expect((await (await client.clone(place.projectId, place.user)).tryGit('fsck', '--strict', '--full')).ok).toBe(
      true,
    );
  });

  test('loses unreachable objects from its packs too', async () => {
    const place = await newHistory();
    const clone = await client.clone(place.projectId, place.user);
    await clone.git('checkout', '-q', '-b', 'side');
    const secret = await clone.commit('Secret', { 'secret.txt': 'do not read\n' });
    await clone.git('push', '-q', 'origin', 'side');
    await packNow(place);
    const packed = (await storedOf(place)).packs[0]?.objects ?? 0;
    expect((await inProject(place, 'DELETE', '/branches/side')).status).toBe(204);
    expect((await inProject(place, 'GET', `/commits/${secret}`)).status).toBe(200);
    await collectNow(place);
    expect((await inProject(place, 'GET', `/commits/${secret}`)).status).toBe(404);
    await packNow(place);
    const { packs, charged, real } = await storedOf(place);
    expect(packs).toEqual([expect.objectContaining({ objects: packed - 3, gone: 0 })]);
    expect(charged).toBe(real);
    // The same commit can come again.
    await clone.git('push', '-q', 'origin', 'side');
    expect((await inProject(place, 'GET', `/commits/${secret}`)).status).toBe(200);
    expect((await (await client.clone(place.projectId, place.user)).tryGit('fsck', '--strict', '--full')).ok).toBe(
      true,
    );
  });
});
