import { createHash } from 'node:crypto';
import type { File } from '@bottega/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns, fuzzSeed } from '../../testing/runner/thoroughness.ts';
import {
  contentAt,
  idAt,
  inProject,
  listFiles,
  newBranchPlace,
  newPlace,
  type Place,
} from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import {
  expectEntriesToBeInTheTree,
  expectExactStats,
  expectRowsToBeTheTree,
  filesAccordingToGit,
} from '../store/head-tree.fixture.ts';
import { directoriesOf, expectStep, type Model, type Step, steps } from './model.fixture.ts';

const numRuns = fuzzRuns(100, 2);
const service = useTestService();

async function take(place: Place, step: Step): Promise<number> {
  if (step.kind === 'put') {
    const { path, content } = step;
    return (await inProject(place, 'PUT', '/files', { json: { path, content } })).status;
  }
  if (step.kind === 'commit') {
    return (await inProject(place, 'POST', '/commits', { json: { changes: step.changes } })).status;
  }
  const id = await idAt(place, step.path);
  if (step.kind === 'delete') return (await inProject(place, 'DELETE', `/files/${encodeURIComponent(id)}`)).status;
  return (await inProject(place, 'POST', `/files/${encodeURIComponent(id)}/move`, { json: { path: step.to } })).status;
}

const checksumOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Expects the files and directories of the model, with its contents by checksum and unchanged ids. */
function expectListing(listed: File[], model: Model): void {
  const files = listed.filter(({ type }) => type === 'file');
  expect(files.map(({ path, checksum }) => [path, checksum])).toEqual(
    [...model].sort(([one], [other]) => byBytes(one, other)).map(([path, { content }]) => [path, checksumOf(content)]),
  );
  const directories = listed.filter(({ type }) => type === 'directory').map(({ path }) => path);
  expect(directories).toEqual([...directoriesOf(model)].sort(byBytes));
  for (const { path, id } of files) {
    const expected = model.get(path);
    if (!expected) continue;
    if (expected.id !== null) expect(id, path).toBe(expected.id);
    expected.id = id;
  }
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
}

test.each(['main', 'feature'])(
  'after any writes, moves, deletions and commits on %s, the listing, rows, tree and git agree with the model',
  async (branch) => {
    const property = fc.asyncProperty(fc.array(steps, { minLength: 15, maxLength: 25 }), async (sequence) => {
      const place: Place = branch === 'main' ? await newPlace(service) : await newBranchPlace(service, branch);
      const model: Model = new Map();
      for (const step of sequence) {
        const expected = expectStep(model, step);
        const status = await take(place, step);
        if (Number.isNaN(expected)) expect([201, 409]).toContain(status);
        else expect(status, JSON.stringify(step)).toBe(expected);
        expectListing(await listFiles(place), model);
        await expectRowsToBeTheTree(service.db, place.projectId);
        await expectEntriesToBeInTheTree(service.db, place.projectId, branch);
      }
      for (const [path, { content }] of model) expect(await contentAt(place, path)).toBe(content);
      await expectExactStats(service.db, place.projectId, branch === 'main' ? model.size : 0);
      const inGit = await filesAccordingToGit(service.db, place.projectId, branch);
      const contents = [...inGit].map(([path, content]): [string, string] => [path, content.toString()]);
      expect(new Map(contents)).toEqual(new Map([...model].map(([path, { content }]) => [path, content])));
    });
    await fc.assert(property, { seed: fuzzSeed, numRuns });
  },
  120_000 + numRuns * 30_000,
);
