import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Workspace } from '@bottega/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { contentAt, writeFile } from '../testing/samples/sample-files.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

const read = async (at: InWorkspace): Promise<Workspace> => (await inWorkspace<Workspace>(at, 'GET', '')).body;

describeWith([...workspacePrograms, 'git'], 'a hostile repository in a workspace', () => {
  const service = useTestService({ settings: workspaceSettings });
  let outside = '';
  beforeAll(async () => {
    outside = await mkdtemp(join(tmpdir(), 'bottega-hostile-'));
  });
  afterAll(() => rm(outside, { recursive: true, force: true }));

  test('runs nothing on the worker, whatever its settings name', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    // On the worker the file would appear in a directory that a sandbox does not see.
    const bait = join(outside, 'ran');
    const settings = [
      `git config core.fsmonitor 'touch ${bait}; false'`,
      `git config core.sshCommand 'touch ${bait}'`,
      `git config core.pager 'touch ${bait}'`,
      `git config core.editor 'touch ${bait}'`,
      `git config filter.bad.clean 'touch ${bait}; cat'`,
      `git config filter.bad.smudge 'touch ${bait}; cat'`,
      `git config filter.bad.required true`,
      `git config include.path /etc/shadow`,
      `git config uploadpack.packObjectsHook 'touch ${bait}'`,
      `git config merge.bad.driver 'touch ${bait}'`,
      `mkdir -p hooks && for hook in pre-receive update post-receive pre-commit post-checkout reference-transaction; do printf '#!/bin/sh\\ntouch ${bait}\\n' > hooks/$hook; chmod 755 hooks/$hook; done`,
      `git config core.hooksPath $PWD/hooks`,
      `printf '* filter=bad merge=bad\\n' > .gitattributes`,
    ];
    await run(at, `${settings.join('; ')}; printf '%s\\n' /etc > .git/objects/info/alternates; true`);
    await run(at, 'echo b >> a.txt; git add -A; git commit -qm Hostile; git push; git fetch; git checkout -b other');
    await writeFile(place, '/a.txt', 'changed\n');
    await inWorkspace(at, 'POST', '/sleep');
    await run(at, 'git status; git pull');
    expect(existsSync(bait)).toBe(false);
    expect(await contentAt(place, '/a.txt')).toBe('changed\n');
  });

  test('with an invalid HEAD, index or commits is saved again after it is repaired', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    await run(at, 'echo "ref: refs/heads/../../../etc" > .git/HEAD; echo x > a.txt');
    await waitFor('a reason', async () => (await read(at)).reason !== null);
    await run(
      at,
      `printf 'ref: refs/heads/%s\\n' "$(head -c 100000 /dev/zero | tr '\\0' x)" > .git/HEAD; echo y > a.txt`,
    );
    expect(await contentAt(place, '/a.txt')).toBe('a\n');
    await run(at, 'echo "ref: refs/heads/main" > .git/HEAD');
    await waitFor('the file', async () => (await contentAt(place, '/a.txt')) === 'y\n');
    await run(at, 'rm -rf .git; echo z > a.txt');
    await waitFor('the file', async () => (await contentAt(place, '/a.txt')) === 'z\n');
  });

  test('with a HEAD that cannot be stored shows why nothing is saved, and its workspace can still go to sleep', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    await run(at, String.raw`printf 'ref: refs/heads/a\0b\033[31m\n' > .git/HEAD`);
    const { reason } = await waitFor('a reason', async () => {
      const now = await read(at);
      return now.reason !== null && now;
    });
    expect(reason).toBe('The branch a b [31m has no commit that the service has: push it first');
    expect((await inWorkspace<Workspace>(at, 'POST', '/sleep')).body.status).toBe('sleeping');
  });

  test('whose HEAD keeps changing is followed with pauses, up to its last HEAD', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    await run(at, 'git checkout -q -b one; git checkout -q main');
    await run(
      at,
      'for n in $(seq 200); do for name in one main; do echo "ref: refs/heads/$name" > .git/HEAD; sleep 0.01; done; done',
    );
    await waitFor('the branch', async () => (await read(at)).branch === 'main');
    const { rows } = await service.pool.query(
      "select count(*)::int as count from events where type = 'workspace.branch_changed' and project_id = $1",
      [place.projectId],
    );
    expect(rows[0].count).toBeLessThan(40);
    expect((await run(at, 'echo b > a.txt')).exit_code).toBe(0);
    await waitFor('the file', async () => (await contentAt(place, '/a.txt')) === 'b\n');
  });

  test('that asks for too much, or in a wrong form, is refused, and the workspace goes on', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    const program = `
      const { connect } = require('node:net');
      const ask = (text) => new Promise((resolve) => {
        const socket = connect('/tmp/.bottega-git.sock');
        let seen = '';
        socket.on('data', (bytes) => { seen += bytes; });
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(seen));
        socket.end(text);
      });
      const token = process.env.BOTTEGA_GIT_TOKEN;
      const asked = (fields) => JSON.stringify({ token, service: 'git-upload-pack', ...fields }) + '\\n';
      (async () => {
        await Promise.all(Array.from({ length: 20 }, () => ask(asked({ token: 'other' }))));
        console.log(await ask(asked({ token: { a: 1 }, commits: 'no', branch: 7, version: [] })));
        console.log(await ask(asked({ commits: Array(10000).fill('0') })));
        console.log((await ask(asked({ service: 'git-receive-pack', branch: '../x', commits: ['zz', null] }))).slice(0, 60));
        console.log((await ask(asked({ service: 'git-receive-pack' }) + 'nonsense')).length > 0);
        const names = ['constructor', 'toString', '__proto__', 'fetch', 'push', 'git-upload-archive', '', 7, null, {}];
        // They are not answered, so they are closed here.
        for (const service of names) {
          const socket = connect('/tmp/.bottega-git.sock', () => socket.write(asked({ service })));
          socket.on('error', () => undefined);
          setTimeout(() => socket.destroy(), 200);
        }
      })();`;
    const done = await run(at, `node -e '${program.replaceAll("'", `'\\''`)}'`, { timeout: 60 });
    expect(done.exit_code, done.stderr).toBe(0);
    expect(done.stdout).toContain('the command that started this git process has ended');
    expect(await run(at, 'git fetch 2>&1; echo still')).toMatchObject({ stdout: 'still\n' });
  });
});
