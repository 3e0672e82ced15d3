import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildSettings } from '../../../apps/server/src/testing/samples/sample-deployments.ts';
import { type TestUser, useTestService } from '../../../apps/server/src/testing/service/test-service.ts';
import { run, useInstalledPackage } from './installed-package.fixture.ts';

const sdk = join(import.meta.dirname, '..');
const tsc = join(sdk, '../../node_modules/.bin/tsc');
const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const folder = useInstalledPackage();
const installed = join(folder, 'node_modules/@bottega/sdk');
let user: TestUser;

beforeAll(async () => {
  user = await service.createUser();
});

/** The code blocks of a page. */
const blocksOf = (page: string): string[] =>
  [...readFileSync(join(sdk, page), 'utf8').matchAll(/^```js\n(.*?)^```/gms)].map(([, code = '']) => code);

async function runProgram(name: string, code: string): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, code.replaceAll('http://localhost:3000', service.url));
  const env = { ...process.env, BOTTEGA_URL: service.url, BOTTEGA_TOKEN: user.key };
  const { stdout } = await run(process.execPath, [path], { cwd: folder, env, timeout: 60_000 });
  return stdout;
}

describe('the package, installed into an empty folder,', () => {
  test('has no dependencies, no sources and no tests', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['dependencies', 'private', 'scripts']));
    expect([existsSync(join(installed, 'LICENSE')), existsSync(join(installed, 'src'))]).toEqual([true, false]);
  });

  const pages = {
    'README.md': blocksOf('README.md'),
    'docs/sdk.md': blocksOf('../../docs/sdk.md'),
    'docs/cookbook.md': blocksOf('../../docs/cookbook.md'),
  };
  const programs = Object.entries(pages).flatMap(([page, blocks]) =>
    blocks.map((code, at) => [page, at + 1, code] as const),
  );
  test.each(programs)('runs the program in %s, block %i', async (page, at, code) => {
    expect(await runProgram(`${page.replaceAll('/', '-')}-${at}.js`, code)).not.toContain('undefined');
  });

  test('gives its types to a program that lacks the types of Node', async () => {
    copyFileSync(join(sdk, 'packaging/typed-program.fixture.ts'), join(folder, 'program.ts'));
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const platform = [
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom,dom.asynciterable',
      '--types',
      '',
    ];
    await run(tsc, ['--noEmit', ...strict, ...platform, 'program.ts'], { cwd: folder }).catch(({ stdout }) =>
      expect(stdout).toBe(''),
    );
  });

  test('is below 20 KB compressed, and loads only what is used', async () => {
    const sizes = await sizesOf(`import { Bottega } from '@bottega/sdk'; globalThis.client = new Bottega();`);
    expect(sizes.first).toBeLessThan(20_000);
    expect(sizes.later).toBeGreaterThan(0);
    expect(
      (await sizesOf(`import { verify } from '@bottega/sdk/webhooks'; globalThis.verify = verify;`)).first,
    ).toBeLessThan(2_500);
  });
});

/** What a browser loads first, and what it loads later by `import()`. */
async function sizesOf(code: string): Promise<{ first: number; later: number }> {
  const input = join(folder, 'entry.js');
  writeFileSync(input, code);
  const build = await rolldown({ input, platform: 'browser' });
  const { output } = await build.generate({ format: 'es', minify: true });
  await build.close();
  const sizes = { first: 0, later: 0 };
  for (const chunk of output) {
    if (chunk.type === 'chunk') sizes[chunk.isDynamicEntry ? 'later' : 'first'] += gzipSync(chunk.code).length;
  }
  return sizes;
}
