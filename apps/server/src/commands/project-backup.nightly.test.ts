import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';

const cli = useCli();

test('one project of a running service is backed up, verified, and restored beside it for another owner', async () => {
  const dataDir = await cli.newDataDir();
  const settings = { BOTTEGA_DATA_DIR: dataDir };
  const service = await cli.start(settings);
  const run = async (...args: string[]) => cli.run(args, settings);
  const keys: string[] = [];
  for (const name of ['ada', 'bob']) {
    const email = `${name}@example.com`;
    await run('admin', 'user', 'create', '--email', email, '--name', name);
    keys.push(JSON.parse((await run('admin', 'key', 'create', '--user', email, '--json')).stdout).key);
  }
  const [ada = '', bob = ''] = keys;
  const created = await call<{ id: string }>('POST', `${service.url}/v1/projects`, {
    token: ada,
    json: { name: 'One' },
  });
  const id = created.body.id;
  const json = { path: '/a.md', content: 'kept\n' };
  await call('PUT', `${service.url}/v1/projects/${id}/files`, { token: ada, json });

  const file = join(dirname(dataDir), 'one.backup');
  expect(await run('backup', '--project', id, file)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^${file}: 3 git objects from ${id}, 0\\.0 MB\\.\\n$`)),
  });
  expect(JSON.parse((await run('verify', file, '--json')).stdout)).toMatchObject({ project: id, refs: 1, objects: 3 });
  const restored = await run('restore', '--project', file, '--owner', 'bob@example.com');
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(Restoring .*one\.backup\n)+$/) });
  const [, copy] = /^Restored One as (prj_\w+) \(branches and tags: 1\), as of .*\.\n$/.exec(restored.stdout) ?? [];
  const archive = await call('GET', `${service.url}/v1/projects/${copy}/search?q=kept`, { token: bob });
  expect(archive.text).toContain('/a.md');
  expect((await call('GET', `${service.url}/v1/projects/${copy}`, { token: ada })).status).toBe(404);

  /** Returns the last line. Progress reports come before it. */
  const told = async (...args: string[]) => /.*\n$/.exec((await run(...args)).stderr)?.[0];
  expect(await told('restore', file)).toMatch(/^bottega: .*already running on this data directory.*\n$/s);
  expect(await told('restore', '--project', file)).toBe(
    'bottega: To restore a project, specify --project FILE and --owner EMAIL.\n',
  );
  expect(await told('restore', '--project', file, '--owner', 'carol@example.com')).toBe(
    'bottega: No user has the address carol@example.com\n',
  );
  expect(await told('backup', '--project', 'prj_none', file)).toBe('bottega: There is no project prj_none.\n');
  expect(await told('backup', '--project', id, '--with-secret-key')).toContain('Omit --with-secret-key');
  service.signal('SIGTERM');
  await service.ended;
});
