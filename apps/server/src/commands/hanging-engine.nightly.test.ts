import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { useCli } from '../testing/clients/cli.ts';

const cli = useCli();
const directory = mkdtempSync(join(tmpdir(), 'bottega-engine-'));
const socket = join(directory, 'engine.sock');
/** Accepts every request and never answers, like an engine that pulls an image over a network that is down. */
const engine = createServer(() => undefined);
afterAll(() => {
  engine.close();
  rmSync(directory, { recursive: true });
});

test('a service that still waits for its container engine ends when it is told to stop', async () => {
  const asked = once(engine.listen(socket), 'connection');
  const settings = { BOTTEGA_BUILD_DRIVER: 'container', BOTTEGA_CONTAINER_SOCKET: socket };
  const service = await cli.start({ ...settings, BOTTEGA_DATA_DIR: await cli.newDataDir() });
  await asked;
  service.signal('SIGTERM');
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
});
