import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../../apps/dashboard/e2e/chromium.ts';
import { describeUnless, describeWith } from '../../../apps/server/src/testing/parts/programs.ts';
import { type TestUser, useTestService } from '../../../apps/server/src/testing/service/test-service.ts';
import { run, useInstalledPackage } from './installed-package.fixture.ts';

const service = useTestService({ settings: { BOTTEGA_CORS_ORIGINS: '*' } });
const folder = useInstalledPackage();
const done = '3 /a.bin 404 /b.txt INVALID_SIGNATURE b🐙';
let user: TestUser;

beforeAll(async () => {
  user = await service.createUser();
  copyFileSync(join(import.meta.dirname, 'session.fixture.js'), join(folder, 'session.js'));
  const [url, token] = [JSON.stringify(service.url), JSON.stringify(user.key)];
  writeFileSync(
    join(folder, 'main.js'),
    `import { session } from './session.js'; console.log(await session(${url}, ${token}));\n`,
  );
});

const lastLine = async (program: string, args: string[]): Promise<string | undefined> =>
  (await run(program, [...args, 'main.js'], { cwd: folder })).stdout.trim().split('\n').at(-1);

describe('Node', () => {
  test('runs the whole sample session', async () => expect(await lastLine(process.execPath, [])).toBe(done));
});
describeWith(['deno'], 'Deno', () => {
  test('runs the whole sample session', async () =>
    expect(await lastLine('deno', ['run', '--allow-net', '--allow-env', '--allow-read'])).toBe(done));
});
describeWith(['bun'], 'Bun', () => {
  test('runs the whole sample session', async () => expect(await lastLine('bun', ['run'])).toBe(done));
});

const executablePath = findChromium();
describeUnless(executablePath ? null : 'chromium must be installed', 'a browser', () => {
  test('runs the whole sample session from a page of another origin', async () => {
    const build = await rolldown({ input: join(folder, 'main.js'), platform: 'browser' });
    await build.write({ dir: join(folder, 'page'), format: 'es' });
    await build.close();
    const server = createServer((request, response) => {
      const isScript = request.url?.endsWith('.js');
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      const script = isScript ? readFileSync(join(folder, 'page', request.url ?? '')) : null;
      response.end(script ?? '<script type="module" src="/main.js"></script>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox'],
      headless: true,
    });
    try {
      const page = await browser.newPage();
      const said = new Promise<string>((resolve, reject) => {
        // The console also reports a refused request, which is part of the session.
        page.on('console', (message) => message.type() === 'log' && resolve(message.text()));
        page.on('pageerror', reject);
      });
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      expect(await said).toBe(done);
    } finally {
      await browser.close();
      server.close();
      server.closeAllConnections();
    }
  });
});
