import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { testAsRoot } from '../../testing/parts/programs.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { byNight } from '../../testing/runner/thoroughness.ts';
import { openJobsDirectory } from './jobs-directory.ts';

const run = promisify(execFile);
const base = mkdtempSync(join(tmpdir(), 'bottega-jobs-'));
afterAll(() => run('rm', ['-rf', base]));

const outside = join(base, 'outside');
mkdirSync(join(outside, 'keys'), { recursive: true });
writeFileSync(join(outside, 'keys/secret.txt'), 'secret');
const outsideIsWhole = () => expect(readFileSync(join(outside, 'keys/secret.txt'), 'utf8')).toBe('secret');

/** The pid of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn('true');
  await new Promise((resolve) => child.on('close', resolve));
  return child.pid ?? 0;
}

/** Deeper than any path can name, with links to elsewhere, and partly locked. */
const digging = `
  for (let level = 0; level < 3000; level++) {
    if (level % 100 === 0) fs.symlinkSync(${JSON.stringify(outside)}, 'out');
    fs.mkdirSync('d'.repeat(200));
    process.chdir('d'.repeat(200));
  }
  fs.mkdirSync('locked/in', { recursive: true });
  fs.chmodSync('locked', 0);
  fs.chmodSync('.', 0o500);`;
const dig = (directory: string) =>
  run(process.execPath, ['-e', `process.chdir(${JSON.stringify(directory)});${digging}`]);

/**
 * Runs `body` in a process that has given up root after loading its modules. `body` can use `jobs`, `fs` and `told`.
 */
async function asOrdinaryUser(root: string, body: string): Promise<unknown> {
  const script = `
    import fs from 'node:fs';
    import { join } from 'node:path';
    import { openJobsDirectory } from ${JSON.stringify(join(import.meta.dirname, 'jobs-directory.ts'))};
    process.setgid?.(65534); process.setuid?.(65534); process.chdir('/');
    const told = [];
    const jobs = openJobsDirectory(${JSON.stringify(root)}, (path, reason) => told.push({ path, reason }));
    ${body}
    await jobs.close();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--no-warnings', '-e', script]);
  return JSON.parse(stdout);
}

describe('the directory of a run is removed', () => {
  test('however deep it is, but not the targets of its links', async () => {
    const jobs = openJobsDirectory(mkdtempSync(join(base, 'root-')));
    const directory = await jobs.createJob('deep');
    await dig(join(directory, 'workspace'));
    await jobs.removeJob(directory);
    expect(existsSync(directory)).toBe(false);
    expect(jobs.setAside()).toBe(0);
    outsideIsWhole();
    await jobs.close();
  });

  testAsRoot('also by a service that runs as an ordinary user, if the job has locked it', async () => {
    const body = `
      const directory = await jobs.createJob('deep');
      process.chdir(join(directory, 'workspace'));
      ${digging}
      process.chdir('/');
      await jobs.removeJob(directory);
      console.log(JSON.stringify([fs.existsSync(directory), told]));`;
    await run('chmod', ['711', base]);
    const root = mkdtempSync(join(base, 'root-'));
    await run('chown', ['65534', root]);
    expect(await asOrdinaryUser(root, body)).toEqual([false, []]);
    outsideIsWhole();
  });

  test('even while a process swaps directories for links, and nothing else is removed', async () => {
    const jobs = openJobsDirectory(mkdtempSync(join(base, 'root-')));
    for (let round = 0; round < byNight(10, 1); round++) {
      const directories = await Promise.all(
        Array.from({ length: 20 }, (_, index) => jobs.createJob(`swapped${index}`)),
      );
      for (const directory of directories) {
        mkdirSync(join(directory, 'workspace/a/keys'), { recursive: true });
        writeFileSync(join(directory, 'workspace/a/keys/secret.txt'), 'own');
      }
      const swapping = `while :; do for d; do
        mv "$d/workspace/a" "$d/b"; ln -s ${outside} "$d/workspace/a"; rm "$d/workspace/a"; mv "$d/b" "$d/workspace/a"
      done; done`;
      const swapper = spawn('/bin/sh', ['-c', swapping, 'sh', ...directories], { stdio: 'ignore' });
      await Promise.all(directories.map(jobs.removeJob));
      swapper.kill('SIGKILL');
      outsideIsWhole();
    }
    await jobs.close();
  });
});

describe('a directory that cannot be removed', () => {
  testAsRoot('is set aside and told, and the next of that name has a directory of its own', async () => {
    const root = mkdtempSync(join(base, 'root-'));
    await run('chown', ['65534', root]);
    const body = `
      const directory = await jobs.createJob('stuck');
      const theirs = join(directory, 'workspace');
      fs.writeFileSync(join(theirs, 'file'), 'x');
      fs.writeFileSync(${JSON.stringify(join(root, 'ready'))}, theirs);
      while (fs.existsSync(${JSON.stringify(join(root, 'ready'))})) await new Promise((resolve) => setTimeout(resolve, 10));
      await jobs.removeJob(directory);
      const again = await jobs.createJob('stuck');
      console.log(JSON.stringify([fs.existsSync(directory), fs.readdirSync(join(again, 'workspace')), jobs.setAside(), told]));`;
    const done = asOrdinaryUser(root, body);
    const ready = join(root, 'ready');
    await waitFor('it has a workspace', async () => existsSync(ready) && readFileSync(ready, 'utf8') !== '');
    // A file in it belongs to another user.
    const theirs = readFileSync(ready, 'utf8');
    await run('chown', ['-R', '0', theirs]);
    await run('chmod', ['755', theirs]);
    rmSync(ready);
    const [isThere, inTheNext, count, told] = (await done) as [
      boolean,
      string[],
      number,
      { path: string; reason: string }[],
    ];
    expect([isThere, inTheNext, count]).toEqual([false, [], 1]);
    expect(told).toEqual([{ path: expect.stringContaining('/set-aside/'), reason: expect.stringContaining('denied') }]);
    // The next start tries again in the background. The reason may be gone then.
    const jobs = openJobsDirectory(root);
    await jobs.createJob('other');
    await waitFor('it is removed', async () => readdirSync(join(root, 'set-aside')).length === 0);
    await jobs.close();
  });

  test('because its worker was killed does not delay the first job of the next worker', async () => {
    const root = mkdtempSync(join(base, 'root-'));
    const left = join(root, `${await deadPid()}-abcdef`);
    mkdirSync(join(left, 'job/workspace'), { recursive: true });
    await dig(join(left, 'job/workspace'));
    const jobs = openJobsDirectory(root);
    const directory = await jobs.createJob('first');
    expect(readdirSync(directory).sort()).toEqual(['run', 'tmp', 'workspace']);
    await waitFor(
      'it is gone',
      async () => readdirSync(root).length === 1 && readdirSync(join(directory, '..')).length === 1,
      60_000,
    );
    outsideIsWhole();
    await jobs.close();
  });
});
