import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { freePortPair } from '../../apps/server/src/testing/free-port.ts';
import { waitFor } from '../../apps/server/src/testing/wait-for.ts';
import { clientOf, installation, newPerson } from '../people.ts';
import { projectWith } from '../projects.ts';
import { startRestored } from '../restored.ts';

// Whoever the commands run as can write there.
const folder = mkdtempSync(join(tmpdir(), 'bottega-story-operator-'));
chmodSync(folder, 0o777);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function bottega(args: string[], settings: Record<string, string> = {}) {
  const { command, cwd, env } = installation().operator;
  const [program = '', ...rest] = [...command, ...args];
  return promisify(execFile)(program, rest, { cwd, env: { ...env, ...settings }, maxBuffer: 2 ** 26 });
}

test('a backup of the running service is whole, and restored elsewhere it has everything', async () => {
  const person = await newPerson();
  const id = await projectWith(person.client, { '/kept.txt': 'kept\n' }, 'Kept');
  const [file, passphrase] = [join(folder, 'all.backup'), join(folder, 'passphrase.txt')];
  await promisify(execFile)('sh', ['-c', `printf 'a long walk by the river' > ${passphrase}; chmod 644 ${passphrase}`]);
  const sealed = ['--passphrase-file', passphrase];
  expect((await bottega(['backup', file, ...sealed, '--with-secret-key'])).stdout).toContain('rows of');
  expect((await bottega(['verify', file, ...sealed])).stdout).toContain('The backup is whole');

  const elsewhere = { BOTTEGA_DATA_DIR: join(folder, 'elsewhere'), PORT: String(await freePortPair()) };
  expect((await bottega(['restore', file, ...sealed], elsewhere)).stdout).toContain('Restored');
  const restored = await startRestored(elsewhere);
  try {
    const client = clientOf(person.key, restored.url);
    await waitFor('it is ready', async () => (await fetch(`${restored.url}/readyz`)).ok);
    expect(await client.projects.get(id)).toMatchObject({ name: 'Kept' });
    const kept = (await client.files.list(id)).data.find(({ path }) => path === '/kept.txt');
    expect(await (await client.files.read(id, kept?.id ?? '')).text()).toBe('kept\n');
  } finally {
    await restored.stop();
  }
});

test('doctor says what the machine can do, beside the running service', async () => {
  const { stdout } = await bottega(['doctor']).catch((error) => error);
  expect(stdout).toMatch(/builds?/);
});
