import { expect, test } from 'vitest';
import { transaction } from '../../foundation/db/transaction.ts';
import { newId } from '../../foundation/ids.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import {
  commit,
  idAt,
  inProject,
  listPaths,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { encodeCommit } from '../objects/commits.ts';
import { deflateObject, hashObject, inflateObject, type ObjectType } from '../objects/objects.ts';
import { editTrees } from '../objects/tree-edit.ts';
import { expectRowsToBeTheTree, filesAccordingToGit } from '../store/head-tree.fixture.ts';

const service = useTestService();
const typeNumbers: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const person = { name: 'Ada', email: 'ada@example.com', at: new Date('2026-01-02T03:04:05Z') };

/** Adds a commit with symbolic links at these paths to the head, as a push would. */
async function pushLinks({ projectId }: Place, paths: string[]): Promise<void> {
  await transaction(service.db, async (trx) => {
    const store = async (type: ObjectType, content: Buffer): Promise<Buffer> => {
      const sha = hashObject(type, content);
      const row = { sha, type: typeNumbers[type], size: content.length, deflated: deflateObject(content) };
      await trx
        .insertInto('git_objects')
        .values({ project_id: projectId, ...row, checksum: null })
        .onConflict((one) => one.doNothing())
        .execute();
      return sha;
    };
    const directories = await trx
      .selectFrom('directories as d')
      .innerJoin('git_objects as o', (on) => on.onRef('o.sha', '=', 'd.tree_sha').on('o.project_id', '=', projectId))
      .select(['d.path', 'o.size', 'o.deflated'])
      .where('d.project_id', '=', projectId)
      .execute();
    const trees = new Map(directories.map((row) => [row.path.slice(1), inflateObject(row.deflated, row.size)]));
    const link = await store('blob', Buffer.from('../../target'));
    const changes = paths.map((path) => ({ path: path.slice(1), entry: { mode: 0o120000, sha: link } }));
    const { written, root } = editTrees(trees, changes);
    for (const { path, sha, content } of written) {
      await store('tree', content);
      const place = path === '' ? '' : `/${path}`;
      await trx
        .insertInto('directories')
        .values({
          project_id: projectId,
          path: place,
          parent: place === '' ? null : place.slice(0, place.lastIndexOf('/')),
          id: newId('dir'),
          tree_sha: sha,
        })
        .onConflict((row) => row.columns(['project_id', 'path']).doUpdateSet({ tree_sha: sha }))
        .execute();
    }
    const head = await trx
      .selectFrom('git_refs as r')
      .innerJoin('git_commits as c', (on) => on.onRef('c.sha', '=', 'r.sha').on('c.project_id', '=', projectId))
      .select(['c.sha', 'c.generation'])
      .where('r.project_id', '=', projectId)
      .executeTakeFirstOrThrow();
    const tree = root?.sha ?? Buffer.alloc(20);
    const about = { tree, parents: [head.sha], author: person, committer: person, message: 'Link' };
    const sha = await store('commit', encodeCommit(about));
    const row = { author_name: 'Ada', author_email: person.email, committed_at: person.at, message: 'Link' };
    await trx
      .insertInto('git_commits')
      .values({
        project_id: projectId,
        sha,
        tree_sha: tree,
        parents: [head.sha],
        generation: head.generation + 1,
        ...row,
      })
      .execute();
    await trx.updateTable('git_refs').set({ sha }).where('project_id', '=', projectId).execute();
  });
}

async function linked(): Promise<Place> {
  const place = await newPlace(service);
  for (const path of ['/dir/file', '/dir/sub/file', '/other']) await writeFile(place, path);
  await pushLinks(place, ['/link', '/dir/link', '/dir/only/links']);
  return place;
}

test('symbolic links are not listed, neither at the head nor at a ref', async () => {
  const place = await linked();
  const listed = ['/dir', '/dir/file', '/dir/only', '/dir/sub', '/dir/sub/file', '/other'];
  expect(await listPaths(place)).toEqual(listed);
  expect(await listPaths(place, '?recursive=true&ref=main')).toEqual(listed);
});

test('nothing is written over or through a link', async () => {
  const place = await linked();
  const conflict = { status: 409, code: 'CONFLICT' } as const;
  for (const path of ['/link', '/link/below', '/dir/link', '/dir/link/far/below']) {
    expectError(await putFile(place, { path, content: 'x' }), conflict);
    const move = { action: 'move', path: '/other', new_path: path };
    expectError(await commit(place, [move]), conflict);
  }
});

test('a write beside a link keeps the link', async () => {
  const place = await linked();
  await writeFile(place, '/dir/beside', 'x');
  await writeFile(place, '/dir/only/beside', 'x');
  const inGit = await filesAccordingToGit(service.db, place.projectId);
  expect([...inGit.keys()].filter((path) => path.includes('link'))).toEqual(['/dir/link', '/dir/only/links', '/link']);
});

test('deleting a directory deletes the links in it, even if it contains only links', async () => {
  const place = await linked();
  expect((await inProject(place, 'DELETE', `/files/${await idAt(place, '/dir/only')}`)).status).toBe(204);
  expect(await listPaths(place)).toEqual(['/dir', '/dir/file', '/dir/sub', '/dir/sub/file', '/other']);
  await pushLinks(place, ['/dir/again/links']);
  expect((await inProject(place, 'DELETE', `/files/${await idAt(place, '/dir')}`)).status).toBe(204);
  expect(await listPaths(place)).toEqual(['/other']);
  expect([...(await filesAccordingToGit(service.db, place.projectId)).keys()]).toEqual(['/link', '/other']);
});

test('a directory that contains a link cannot be moved, since the link would stay behind', async () => {
  const place = await linked();
  const move = async (path: string) =>
    inProject(place, 'POST', `/files/${await idAt(place, path)}/move`, { json: { path: '/moved' } });
  expectError(await move('/dir'), { status: 409, code: 'CONFLICT' });
  expect((await move('/dir/sub')).status).toBe(200);
  expect(await listPaths(place, '?path=/moved')).toEqual(['/moved/file']);
});

test('rows and tree agree after a directory with links is deleted', async () => {
  const place = await newPlace(service);
  await writeFile(place, '/dir/file');
  await writeFile(place, '/other');
  await pushLinks(place, ['/dir/link']);
  await inProject(place, 'DELETE', `/files/${await idAt(place, '/dir')}`);
  await expectRowsToBeTheTree(service.db, place.projectId);
});
