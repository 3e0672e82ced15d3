import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const fixture = fileURLToPath(new URL('handed-connections.fixture.ts', import.meta.url));

test('a connection that was handed to a process which died before it took it is ended', {
  timeout: 60_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [fixture], { timeout: 50_000 });
  expect(stdout).toBe('every connection has ended\n');
});
