import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { eventsOf } from '../../testing/samples/sample-collaborators.ts';
import {
  commit,
  contentAt,
  history,
  inProject,
  newPlace,
  type Place,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { createProject, listProjects, onProject, readProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { useBackups, verifyFile } from '../backups.fixture.ts';
import { BackupError } from '../index.ts';
import { readChecksums, readRepository } from '../releases/asking.fixture.ts';
import { expectSoundClone } from '../releases/expect-filled.fixture.ts';
import { pushHistory } from '../releases/push-history.fixture.ts';
import { useProjectBackups } from './project-backups.fixture.ts';

const service = useTestService();
const projects = useProjectBackups(service);
const backups = useBackups();

/** A project with branches, tags, a merge, a symbolic link, a submodule and an executable. */
async function richPlace(): Promise<Place & { user: TestUser }> {
  const settings = { public: true, auto_deploy: true, auto_save: false };
  const place = await newPlace(service, { name: 'Rich', description: 'Of everything', settings });
  await writeFile(place, '/docs/notes.md', 'one\n');
  await writeFile(place, '/docs/notes.md', 'two\n');
  await pushHistory(`${service.url.replace('://', `://x:${place.user.key}@`)}/git/${place.projectId}.git`);
  return place;
}

const repositoryOf = (user: TestUser, id: string) => readRepository(service.url, user.key, id);

test('a project is restored unchanged, under another id, any number of times, and for another owner too', async () => {
  const place = await richPlace();
  const path = await projects.backUp(place.projectId);
  const before = await repositoryOf(place.user, place.projectId);
  const other = await service.createUser();
  const ids = [
    await projects.restore(place.user, path),
    await projects.restore(place.user, path),
    await projects.restore(other, path),
  ];
  expect(new Set([place.projectId, ...ids]).size).toBe(4);
  for (const [at, owner] of [place.user, place.user, other].entries()) {
    const id = ids[at] ?? '';
    expect(await repositoryOf(owner, id)).toEqual(before);
    await expectSoundClone(`${service.url}/git/${id}.git`, owner.key);
  }
  expect(await repositoryOf(place.user, place.projectId)).toEqual(before);
});

test('a project with merge requests is restored with its branches, but without the merge requests', async () => {
  const place = await richPlace();
  expect((await inProject(place, 'POST', '/branches', { json: { name: 'offered' } })).status).toBe(201);
  await writeFile({ ...place, branch: 'offered' }, '/new.txt');
  const before = await repositoryOf(place.user, place.projectId);
  const offered = { source: 'offered', title: 'New' };
  expect((await inProject(place, 'POST', '/merge-requests', { json: offered })).status).toBe(201);
  const id = await projects.restore(place.user, await projects.backUp(place.projectId));
  expect(await repositoryOf(place.user, id)).toEqual(before);
  const { body } = await inProject({ ...place, projectId: id }, 'GET', '/merge-requests');
  expect(body).toMatchObject({ data: [] });
});

test('a restored project keeps its texts and settings, but starts private and without deployments, and emits events', async () => {
  const place = await richPlace();
  const id = await projects.restore(place.user, await projects.backUp(place.projectId));
  const { name, description, settings } = await readProject(service, place.user, id);
  expect({ name, description }).toEqual({ name: 'Rich', description: 'Of everything' });
  expect(settings).toMatchObject({ auto_save: false, public: false, auto_deploy: false, version_control: true });
  const stranger = await service.createUser();
  expect((await onProject(service, stranger, id, ['GET'])).status).toBe(404);
  expect(await eventsOf(service, id, 'project.%')).toMatchObject([
    { type: 'project.created', actor_id: place.user.id },
  ]);
  const files = Object.keys(await readChecksums(service.url, place.user.key, id));
  const told = await eventsOf(service, id, 'file.%');
  expect(told.map(({ type }) => type)).toEqual(files.map(() => 'file.created'));
  expect(await eventsOf(service, id, 'deployment.%')).toEqual([]);
  // It works like any other project.
  const there = { ...place, projectId: id };
  await writeFile(there, '/docs/notes.md', 'three\n');
  expect(await contentAt(there, '/docs/notes.md')).toBe('three\n');
  expect((await listProjects(service, place.user)).data.map((one) => one.id)).toContain(id);
});

test('files saved without version control are in a single commit, and an empty project stays empty', async () => {
  const place = await newPlace(service, { settings: { version_control: false } });
  await writeFile(place, '/a/plain.txt', 'plain\n');
  const id = await projects.restore(place.user, await projects.backUp(place.projectId));
  const there = { ...place, projectId: id };
  expect(await contentAt(there, '/a/plain.txt')).toBe('plain\n');
  expect((await readProject(service, place.user, id)).settings.version_control).toBe(false);
  // Nothing is left to commit when version control is switched on.
  await onProject(service, place.user, id, ['PATCH', { settings: { version_control: true } }]);
  expect((await history(there)).data.map(({ message }) => message)).toEqual([
    'Files that were saved without version control',
  ]);
  const empty = await createProject(service, place.user);
  const restored = await projects.restore(place.user, await projects.backUp(empty.id));
  expect(await readChecksums(service.url, place.user.key, restored)).toEqual({});
});

test('a backup made during writes is consistent', async () => {
  const place = await newPlace(service);
  let isWriting = true;
  let written = 0;
  const writers = ['a', 'b', 'c'].map(async (name) => {
    for (let count = 0; isWriting; count++) {
      await commit(place, [
        { action: count === 0 ? 'create' : 'update', path: `/${name}/left.md`, content: `${count}\n` },
        { action: count === 0 ? 'create' : 'update', path: `/${name}/right.md`, content: `${count}\n` },
      ]);
      written += 1;
    }
  });
  await waitFor('they write', () => written > 10);
  const path = await projects.backUp(place.projectId);
  isWriting = false;
  await Promise.all(writers);
  const there = { ...place, projectId: await projects.restore(place.user, path) };
  for (const name of ['a', 'b', 'c']) {
    expect(await contentAt(there, `/${name}/left.md`)).toBe(await contentAt(there, `/${name}/right.md`));
  }
  await expectSoundClone(`${service.url}/git/${there.projectId}.git`, place.user.key);
});

test('a backup of a project is verified and encrypted like any other, and neither kind is accepted in place of the other', async () => {
  const place = await richPlace();
  const passphrase = 'a passphrase of some length';
  const path = await projects.backUp(place.projectId, passphrase);
  expect(await verifyFile(path, passphrase)).toMatchObject({ manifest: { project: { id: place.projectId } } });
  await expect(projects.restore(place.user, path)).rejects.toThrow('is encrypted');
  const id = await projects.restore(place.user, path, { passphrase });
  expect(await repositoryOf(place.user, id)).toEqual(await repositoryOf(place.user, place.projectId));
  await expect(backups.restore(await backups.newDatabase(), path, passphrase)).rejects.toThrow(
    'This backup contains one project',
  );
  const whole = await backups.backUp(service.database.connection);
  await expect(projects.restore(place.user, whole)).rejects.toThrow('This backup contains the whole installation');
  await expect(projects.backUp('prj_0000000000000000000000nope')).rejects.toThrow('There is no project');
});

test('a backup that is damaged or cut at any of thirty places is refused, and nothing of it remains', async () => {
  const place = await richPlace();
  const bytes = readFileSync(await projects.backUp(place.projectId));
  const { pagination } = await listProjects(service, place.user);
  for (let count = 0; count < 30; count++) {
    const path = projects.newPath();
    const at = randomInt(bytes.length);
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << randomInt(8));
    writeFileSync(path, count % 2 === 0 ? flipped : bytes.subarray(0, at));
    await expect(projects.restore(place.user, path), `at ${at}`).rejects.toBeInstanceOf(BackupError);
  }
  expect((await listProjects(service, place.user)).pagination).toEqual(pagination);
  expect(projects.inQuarantine()).toEqual([]);
});

test.for([
  ['BOTTEGA_PROJECT_LIMIT_FREE', '1', 'The free plan allows 1 projects'],
  ['BOTTEGA_FILES_LIMIT_FREE', '3', "The owner's plan allows 3 files per project"],
  ['BOTTEGA_STORAGE_LIMIT_FREE', '1000', 'The free plan allows 1000 stored bytes'],
  ['BOTTEGA_PUSH_OBJECT_LIMIT', '10', 'more than 10 objects in one push'],
  ['BOTTEGA_PUSH_PACK_LIMIT', '1024', 'the pack is larger than 1024 bytes'],
] as const)('a restore that exceeds %s is refused, and nothing of it remains', async ([setting, value, words]) => {
  const place = await richPlace();
  await writeFile(place, '/much.txt', Array.from({ length: 500 }, () => randomInt(1_000_000)).join('\n'));
  const path = await projects.backUp(place.projectId);
  await expect(projects.restore(place.user, path, { settings: { [setting]: value } })).rejects.toThrow(words);
  expect((await listProjects(service, place.user)).data.map(({ id }) => id)).toEqual([place.projectId]);
  expect(projects.inQuarantine()).toEqual([]);
});
