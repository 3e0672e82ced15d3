import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectCommands } from '../../../dashboard/src/connect/commands.ts';
import { version } from '../foundation/version.ts';
import { createProject } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '../../../..');
const home = mkdtempSync(join(tmpdir(), 'bottega-connect-'));

// As `npm run build` does it: the clients of these sources.
beforeAll(() => run('node', ['tools/build-downloads.ts'], { cwd: repository }));
const service = useTestService();
afterAll(() => rmSync(home, { recursive: true, force: true }));

let user: TestUser;
let env: Record<string, string>;
beforeAll(async () => {
  user = await service.createUser();
  mkdirSync(join(home, 'project'));
  env = {
    HOME: home,
    PATH: `${join(home, 'global/bin')}:${process.env.PATH}`,
    npm_config_prefix: join(home, 'global'),
    npm_config_cache: join(home, 'cache'),
    // Nobody answers there: what is installed comes from the service alone.
    npm_config_registry: 'http://127.0.0.1:9',
    BOTTEGA_URL: service.url,
    BOTTEGA_TOKEN: user.key,
    GIT_TERMINAL_PROMPT: '0',
  };
});

/** In a shell, as somebody pastes it. */
const paste = (command: string) => run('bash', ['-ec', command], { cwd: join(home, 'project'), env });

describe('the commands of the Connect page', () => {
  test('install the command line from this service, without a registry, and it works', async () => {
    const { id } = await createProject(service, user, { name: 'Shown' });
    const commands = connectCommands(service.url, id);
    await paste(commands.installCli);
    expect((await paste('btg --version')).stdout).toBe(`${version}\n`);
    expect((await paste(commands.listProjects)).stdout).toContain('Shown');
    await paste(commands.cloneProject);
    await paste(`${commands.gitClone.replace('://', `://me:${user.key}@`)} by-git`);
    expect((await paste('git -C by-git remote')).stdout).toBe('origin\n');
  });

  test('install the SDK from this service, without a registry, and its client works', async () => {
    const commands = connectCommands(service.url);
    await paste(commands.installSdk);
    const program = `import { Bottega } from '@bottega/sdk';
      const client = ${commands.client};
      console.log((await client.user.get()).email);`;
    writeFileSync(join(home, 'project/program.mjs'), program);
    expect((await paste('node program.mjs')).stdout).toBe(`${user.email}\n`);
  });

  test('install files that match the checksums of the service', async () => {
    const { stdout } = await paste(
      `for name in SHA256SUMS bottega-cli.tgz bottega-sdk.tgz; do curl -fsSO ${service.url}/downloads/$name; done
      sha256sum -c SHA256SUMS`,
    );
    expect(stdout).toBe('bottega-cli.tgz: OK\nbottega-sdk.tgz: OK\n');
  });
});

test('every page that tells how to install a client gives the command of the Connect page', () => {
  const { installCli, installSdk } = connectCommands('http://localhost:3000');
  const pages = globSync(['*.md', 'docs/*.md', 'packages/*/README.md'], { cwd: repository });
  const told = pages.flatMap((page) => [
    ...readFileSync(join(repository, page), 'utf8').matchAll(
      /npm install [^\n`]*(?:@bottega\/|bottega-(?:cli|sdk))[^\n`]*/g,
    ),
  ]);
  const commands = new Set(told.map(([command]) => command.replace(/\s+#.*$/, '')));
  expect([...commands].sort()).toEqual([installCli, installSdk].sort());
});
