import fc from 'fast-check';
import { expect, test } from 'vitest';
import { join, startTexts } from '../../collaboration/texts/live.fixture.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { fuzzRuns, fuzzSeed } from '../../testing/runner/thoroughness.ts';
import {
  contentAt,
  idAt,
  inProject,
  listFiles,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { type Clone, useGitClient } from '../smart-http/git-client.fixture.ts';
import { expectEntriesToBeInTheTree, expectRowsToBeTheTree } from '../store/head-tree.fixture.ts';

const numRuns = fuzzRuns(20, 1);
const service = useTestService({ role: 'api' });
const git = useGitClient(service);

const branches = ['main', 'one', 'two', 'three', 'four'];
// Few names and lines, so that steps collide.
const path = fc.constantFrom('/a', '/b', '/d/a', '/d/e/a');
const branch = fc.constantFrom(...branches);
const line = fc.integer({ min: 0, max: 9 });

type Line = { branch: string; path: string; line: number };
type Step =
  | ({ kind: 'put' } & Line)
  | ({ kind: 'push' } & Line)
  | ({ kind: 'type' } & Line)
  | { kind: 'move'; branch: string; path: string; to: string }
  | { kind: 'delete'; branch: string; path: string }
  | { kind: 'merge'; branch: string; from: string }
  | { kind: 'recreate'; branch: string; from: string };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('put', 'push', 'type', 'type'), branch, path, line }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move'), branch, path, to: path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), branch, path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('merge', 'merge', 'recreate'), branch, from: branch }) },
) as fc.Arbitrary<Step>;

type Scene = { place: Place & { user: TestUser }; copy: Clone; type: (step: Line) => Promise<void> };

const beginning = Array.from({ length: 10 }, (_, n) => `line ${n}\n`).join('');
let words = 0;
const changed = (text: string, at: number): string => {
  const lines = text.split('\n');
  lines[Math.min(at, lines.length - 1)] = `word ${++words}`;
  return lines.join('\n');
};

const on = ({ place }: Scene, name: string): Place => ({ ...place, branch: name });

async function present(scene: Scene, { branch: name, path: at }: { branch: string; path: string }) {
  const id = await idAt(on(scene, name), at);
  return id.startsWith('fil_') ? id : null;
}

async function take(scene: Scene, step: Step): Promise<void> {
  const where = on(scene, step.branch);
  if (step.kind === 'merge') {
    const json = { source: step.from, target: step.branch };
    expect([201, 409]).toContain((await inProject(scene.place, 'POST', '/merges', { json })).status);
  } else if (step.kind === 'recreate') {
    if (step.branch === 'main' || step.branch === step.from) return;
    expect((await inProject(scene.place, 'DELETE', `/branches/${step.branch}`)).status).toBe(204);
    const json = { name: step.branch, from: step.from };
    expect((await inProject(scene.place, 'POST', '/branches', { json })).status).toBe(201);
  } else if (step.kind === 'push') await push(scene, step);
  else if (step.kind === 'put') {
    const id = await present(scene, step);
    const content = id ? changed(await contentAt(where, step.path), step.line) : beginning;
    expect([200, 201, 409]).toContain((await putFile(where, { path: step.path, content })).status);
  } else {
    const id = await present(scene, step);
    if (id === null) return;
    if (step.kind === 'type') await scene.type(step);
    else if (step.kind === 'delete') expect((await inProject(where, 'DELETE', `/files/${id}`)).status).toBe(204);
    else {
      const json = { path: step.to };
      expect([200, 409]).toContain((await inProject(where, 'POST', `/files/${id}/move`, { json })).status);
    }
  }
}

/** A live text may be saved on the branch meanwhile. Then the push is made again, as a person would. */
async function push({ copy }: Scene, { branch: name, path: at, line: number }: Line): Promise<void> {
  for (;;) {
    await copy.git('fetch', '--quiet', '--prune');
    await copy.git('checkout', '--quiet', '--force', '-B', name, `origin/${name}`);
    const known = await copy.tryGit('show', `HEAD:${at.slice(1)}`);
    const isFree = (await copy.tryGit('ls-files', '--error-unmatch', '--', at.slice(1))).ok;
    if (!known.ok && isFree) return;
    const content = known.ok ? changed(known.stdout, number) : beginning;
    const written = await copy.write(at.slice(1), content).then(
      () => true,
      () => false,
    );
    if (!written) return void (await copy.git('reset', '--quiet', '--hard'));
    await copy.commit('Push');
    if ((await copy.tryGit('push', '--quiet', 'origin', name)).ok) return;
  }
}

test(
  'five branches agree with git after any writes, live edits, pushes, merges, moves and deletions',
  async () => {
    const texts = startTexts(service);
    const property = fc.asyncProperty(fc.array(steps, { minLength: 20, maxLength: 30 }), async (sequence) => {
      const place = await newPlace(service, { settings: { auto_preview: false } });
      for (const at of ['/a', '/d/a']) await writeFile(place, at, beginning);
      for (const name of branches.slice(1)) await inProject(place, 'POST', '/branches', { json: { name } });
      const copy = await git.clone(place.projectId, place.user);
      const clients = new Map(branches.map((name) => [name, join(texts, place, place.user, { branch: name })]));
      const type: Scene['type'] = async ({ branch: name, path: file_path }) => {
        const client = clients.get(name);
        const text = `typed ${++words}\n`;
        client?.send({ type: 'open_file', file_path });
        await client?.next('file_state', { file_path });
        const changes = [{ type: 'insert' as const, position: { line: 1, column: 1 }, text }];
        client?.send({ type: 'code_change', file_path, changes, seq: words });
        await client?.next('ack', { seq: words });
      };
      for (const step of sequence) await take({ place, copy, type }, step);
      await waitFor('everything is saved', async () => {
        await texts.recover();
        const { rows } = await service.pool.query(
          "select from live_texts where project_id = $1 and unsaved_by <> '{}' and removed_at is null",
          [place.projectId],
        );
        return rows.length === 0;
      });
      for (const { connection } of clients.values()) await connection.close();
      await expectSame({ place, copy, type });
    });
    // Shrinking such long sequences would take longer than reading one.
    await fc.assert(property, { seed: fuzzSeed, numRuns, endOnFailure: true });
    await texts.drain();
  },
  120_000 + numRuns * 60_000,
);

async function expectSame(scene: Scene): Promise<void> {
  const { place, copy } = scene;
  await copy.git('fetch', '--quiet', '--prune');
  await copy.git('fsck', '--strict', '--full');
  await expectRowsToBeTheTree(service.db, place.projectId);
  for (const name of branches) {
    await expectEntriesToBeInTheTree(service.db, place.projectId, name);
    const listed = await listFiles(on(scene, name), '?recursive=true&type=file');
    const inGit = (await copy.git('ls-tree', '-r', '--name-only', `origin/${name}`)).split('\n').filter(Boolean);
    expect(listed.map((file) => file.path)).toEqual(inGit.map((at) => `/${at}`).sort());
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    for (const { path: at } of listed) {
      const content = await copy.git('show', `origin/${name}:${at.slice(1)}`);
      expect((await contentAt(on(scene, name), at)).trim(), `${name}:${at}`).toBe(content.trim());
    }
  }
}
