import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePortPair } from '../../apps/server/src/testing/parts/free-port.ts';
import { clientOf, installation, newPerson } from '../people.ts';
import { deployed, projectWith } from '../projects.ts';
import { startRestored } from '../restored.ts';
import type { Settings } from '../shapes/shape.ts';
import { visit } from '../visit.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(installation().operator.folder, 'story-'));
  // The commands may run as another user.
  chmodSync(folder, 0o777);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: readonly string[], settings: Settings = {}): Promise<string> {
  const { cwd, env } = installation().operator;
  const [program = '', ...args] = command;
  const { stdout } = await promisify(execFile)(program, args, {
    cwd,
    env: { ...env, ...settings },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

/** An independent machine: it shares nothing with the nodes of the installation. An empty value counts as not set. */
async function settingsElsewhere(): Promise<Settings> {
  const PORT = String(await freePortPair());
  const shared = ['DATABASE_URL', 'DATABASE_SESSION_URL', 'REDIS_URL', 'BOTTEGA_OBJECTS', 'BOTTEGA_SECRET_KEY'];
  return {
    ...Object.fromEntries(shared.map((name) => [name, ''])),
    PORT,
    BOTTEGA_PUBLIC_URL: `http://localhost:${PORT}`,
    BOTTEGA_APPS_URL: '',
    BOTTEGA_DATA_DIR: join(folder, `elsewhere-${PORT}`),
  };
}

test('a backup of the running service is whole, and restored elsewhere it has everything', async () => {
  const person = await newPerson();
  const id = await projectWith(person.client, { '/index.html': 'kept\n' }, 'Kept');
  await deployed(person.client, id);
  const [file, passphrase] = [join(folder, 'all.backup'), join(folder, 'passphrase.txt')];
  writeFileSync(passphrase, 'a long walk by the river', { mode: 0o644 });
  const sealed = ['--passphrase-file', passphrase];
  const { command, elsewhere } = installation().operator;
  expect(await run([...command, 'backup', file, ...sealed, '--with-secret-key'])).toContain('rows from');
  expect(await run([...command, 'verify', file, ...sealed])).toContain('The backup is complete');

  const settings = await settingsElsewhere();
  expect(await run([...elsewhere, 'restore', file, ...sealed], settings)).toContain('Restored');
  const restored = await startRestored(settings);
  try {
    const client = clientOf(person.key, restored.url);
    const project = await client.projects.get(id);
    expect(project).toMatchObject({ name: 'Kept' });
    const kept = (await client.files.list(id)).data.find(({ path }) => path === '/index.html');
    expect(await (await client.files.read(id, kept?.id ?? '')).text()).toBe('kept\n');
    expect(await visit(project.live_url ?? '')).toEqual({ status: 200, text: 'kept\n' });
  } finally {
    await restored.stop();
  }
});

test('doctor says what the machine can do, beside the running service', async () => {
  const said = await run([...installation().operator.command, 'doctor']).catch((error) => error.stdout);
  expect(said).toMatch(/builds?/);
});
