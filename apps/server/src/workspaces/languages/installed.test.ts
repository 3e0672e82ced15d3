import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeWith } from '../../testing/parts/programs.ts';
import { fetchLanguageServers, openInstalledLanguages } from './installed.ts';

const folder = mkdtempSync(join(tmpdir(), 'bottega-languages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const executablePath = process.env.PATH ?? '';

test('one line says that language servers are turned off', async () => {
  expect(await fetchLanguageServers({ directory: null, executablePath })).toBe(
    'The operator of this service has turned language servers off',
  );
});

describeWith(['npm'], 'language servers that npm fetches', () => {
  test('fail without network with a reason in one line, and leave nothing behind', async () => {
    const registry = 'npm_config_registry';
    const before = process.env[registry];
    // Nothing listens on port 9.
    process.env[registry] = 'http://127.0.0.1:9/';
    try {
      const installed = openInstalledLanguages({ directory: folder, executablePath });
      const reason = await installed.prepare('python').catch((error: Error) => error.message);
      expect(reason).toMatch(/^The language server of python could not be fetched: .*127\.0\.0\.1:9/);
      expect(reason).not.toContain('\n');
      expect(installed.problems()).toEqual({ python: reason });
      expect(readdirSync(folder)).toEqual([]);
      await expect(installed.prepare('python')).rejects.toThrow(String(reason));
    } finally {
      if (before === undefined) delete process.env[registry];
      else process.env[registry] = before;
    }
  });
});
