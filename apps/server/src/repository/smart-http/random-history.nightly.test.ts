import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { fuzzRuns, fuzzSeed } from '../../testing/runner/thoroughness.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { type Clone, filesByRest, useDirectory, useGitClient } from './git-client.fixture.ts';

const service = useTestService({ settings: { BOTTEGA_DATA_DIR: useDirectory('data') } });
const client = useGitClient(service);
let owner: TestUser;
beforeAll(async () => {
  owner = await service.createUser();
});

const name = fc.constantFrom('a', 'b', 'a.b', 'ä', '日本', 'x y', '-', 'A');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const content = fc.oneof(
  fc.string({ maxLength: 200, unit: 'binary' }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 30_000, max: 100_000 }).map((size) => randomBytes(size)),
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), path, content }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), path }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('branch' as const), name: fc.constantFrom('one', 'two/three') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tag' as const), annotated: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('push' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

let tags = 0;
async function take(repository: Clone, action: Step): Promise<void> {
  switch (action.kind) {
    case 'write':
      // A file that blocks a directory is removed first, as a user would do.
      await repository.git('rm', '-r', '-f', '--quiet', '--ignore-unmatch', '--', ...ways(action.path));
      await repository.tryGit('clean', '-fdq');
      await repository.commit(`Write ${action.path}`, { [action.path]: action.content });
      break;
    case 'remove':
      await repository.tryGit('rm', '-r', '--quiet', '--ignore-unmatch', '--', action.path);
      await repository.commit(`Remove ${action.path}`);
      break;
    case 'branch':
      await repository.tryGit('checkout', '--quiet', '-B', action.name);
      break;
    case 'merge':
      await repository.git('checkout', '--quiet', 'main');
      await repository.tryGit('merge', '--quiet', '-X', 'ours', '--no-edit', 'one');
      if (!(await repository.tryGit('diff', '--quiet', 'HEAD')).ok) await repository.git('merge', '--abort');
      break;
    case 'tag':
      await repository.git('tag', ...(action.annotated ? ['-a', '-m', 'Tag'] : []), `t${++tags}`);
      break;
    case 'push':
      await pushAll(repository);
  }
}

function ways(path: string): string[] {
  const names = path.split('/');
  return names.map((_, end) => names.slice(0, end + 1).join('/'));
}

async function pushAll(repository: Clone): Promise<void> {
  await repository.git('push', '--quiet', '--force', 'origin', 'refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*');
}

const numRuns = fuzzRuns(60, 2);

test(
  'any pushed history is cloned unchanged, to the last object, and REST shows its head',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { id } = await createProject(service, owner);
        const repository = await client.repository();
        await repository.git('remote', 'add', 'origin', client.addressOf(id, owner.key));
        await repository.commit('First', { first: 'first' });
        for (const action of steps) await take(repository, action);
        await pushAll(repository);

        const mirror = await client.clone(id, owner, '--mirror');
        const list = ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags'];
        expect(await mirror.git(...list)).toBe(await repository.git(...list));
        const objects = ['rev-list', '--objects', '--branches', '--tags'];
        const sorted = async (clone: Clone) => (await clone.git(...objects)).split('\n').sort();
        expect(await sorted(mirror)).toEqual(await sorted(repository));
        const fsck = await mirror.tryGit('fsck', '--strict', '--full');
        expect(fsck.ok, fsck.stderr).toBe(true);

        const tracked = (await repository.git('ls-tree', '-r', '-z', '--name-only', 'main'))
          .split('\0')
          .filter(Boolean);
        const shown = await filesByRest(service, owner, id);
        expect([...shown.keys()].sort()).toEqual(tracked.map((file) => `/${file}`).sort());
      }),
      { seed: fuzzSeed, numRuns },
    );
  },
  120_000 + numRuns * 15_000,
);
