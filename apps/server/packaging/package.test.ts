import { execFile } from 'node:child_process';
import { chownSync, copyFileSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Deployment } from '@bottega/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, useCli } from '../src/testing/cli.ts';
import { call } from '../src/testing/http-client.ts';
import { describeUnless } from '../src/testing/programs.ts';
import { visit } from '../src/testing/sample-deployments.ts';
import { isNightly } from '../src/testing/thoroughness.ts';
import { waitFor } from '../src/testing/wait-for.ts';

const run = promisify(execFile);
const server = join(import.meta.dirname, '..');
const html = { accept: 'text/html' };

/** What somebody does with a new installation. */
async function firstSession(service: Running): Promise<void> {
  const page = await call('GET', `${service.url}/`, { headers: html });
  expect(page.text).toContain('<div id="root">');
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1];
  expect((await call('GET', `${service.url}${script}`)).status).toBe(200);
  expect((await call('GET', `${service.url}/docs/`)).text).toContain('Bottega API');

  const person = { email: 'first@example.com', name: 'First', password: 'a long walk by the river' };
  expect((await call('POST', `${service.url}/v1/auth/sign-up`, { json: person })).status).toBe(201);

  const token = /API key\s+(\S+)/.exec(service.stdout())?.[1] ?? '';
  const projects = `${service.url}/v1/projects`;
  const created = await call<{ id: string }>('POST', projects, { token, json: { name: 'Mine', template: 'empty' } });
  const project = `${projects}/${created.body.id}`;
  // npm would leave it out of the package, were it not kept by another name.
  expect((await call('GET', `${project}/files`, { token })).text).toContain('/.gitignore');
  const file = { path: '/index.html', content: 'Hello from the package' };
  expect((await call('PUT', `${project}/files`, { token, json: file })).status).toBe(201);

  const deployment = await call<Deployment>('POST', `${project}/deployments`, { token, json: {} });
  const done = await waitFor('it is deployed', async () => {
    const { body } = await call<Deployment>('GET', `${project}/deployments/${deployment.body.id}`, { token });
    return !['pending', 'building'].includes(body.status) && body;
  });
  expect(done.status).toBe('success');
  expect((await visit(`${done.url}/`)).text).toBe(file.content);

  service.signal('SIGTERM');
  expect((await service.ended).code).toBe(0);
}

describe('the bundle', () => {
  const cli = useCli();

  test('serves its pages, and what was made in a first session', async () => {
    await firstSession(await cli.start({ BOTTEGA_DATA_DIR: await cli.newDataDir() }));
  });
});

// To pack and to install it takes longer than most files of tests, and a registry.
if (isNightly) {
  const registry = await run('npm', ['ping']).then(
    () => null,
    () => 'a registry of npm must be reachable',
  );
  describeUnless(registry, 'the package, installed into an empty folder by an ordinary user', () => {
    const home = mkdtempSync(join(tmpdir(), 'bottega-package-'));
    const nobody = process.getuid?.() === 0 ? 65_534 : null;
    const asUser = nobody === null ? [] : ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
    const environment = { HOME: home, PATH: `${home}:${process.env.PATH}` };
    // The npm that runs the tests has its settings there, such as a cache that nobody else can write to.
    const withoutNpm = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
    const cli = useCli({
      within: asUser,
      program: join(home, 'node_modules/bottega/bin/bottega.js'),
      node: join(home, 'node'),
    });

    beforeAll(async () => {
      // Ours may be where nobody else can read.
      copyFileSync(process.execPath, join(home, 'node'));
      if (nobody !== null) chownSync(home, nobody, nobody);
      await run('node', ['packaging/prepack.ts'], { cwd: server });
      const packed = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', home], { cwd: server });
      await run('node', ['packaging/postpack.ts'], { cwd: server });
      const install = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', `./${packed.stdout.trim()}`];
      const [program = '', ...args] = [...asUser, ...install];
      await run(program, args, { cwd: home, env: { ...withoutNpm, ...environment } });
    }, 400_000);
    afterAll(() => rm(home, { recursive: true, force: true }));

    test('serves its pages, and what was made in a first session', async () => {
      await firstSession(await cli.start({ ...environment, BOTTEGA_DATA_DIR: join(home, 'data') }));
    });
  });
}
