import type { File } from '@bottega/contract';
import { expect, test } from 'vitest';
import { describeWith } from '../testing/parts/programs.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject, listFiles } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

describeWith(workspacePrograms, 'the file routes with a workspace', () => {
  const service = useTestService({ settings: { ...workspaceSettings, BOTTEGA_FILE_LIMIT: '100000' } });
  const onDisk = (at: InWorkspace, path: string) =>
    inProject<{ data: File[] }>(at, 'GET', `${path}${path.includes('?') ? '&' : '?'}workspace=${at.workspace.id}`);

  async function withPackages(): Promise<InWorkspace> {
    const at = await newWorkspace(await projectOf(service, { '/.gitignore': 'node_modules/\n', '/a.txt': 'a\n' }));
    await run(at, 'mkdir -p node_modules/x; echo "module.exports = 1" > node_modules/x/index.js; touch node_modules/y');
    return at;
  }

  test('list the files on its disk, including those that git ignores', async () => {
    const at = await withPackages();
    const root = await onDisk(at, '/files');
    expect(root.body.data.map(({ path, type }) => `${type} ${path}`)).toEqual([
      'file /.gitignore',
      'file /a.txt',
      'directory /node_modules',
    ]);
    const inside = await onDisk(at, '/files?path=/node_modules/x');
    expect(inside.body.data).toEqual([
      expect.objectContaining({ name: 'index.js', path: '/node_modules/x/index.js', type: 'file', size: 19 }),
    ]);
    expect((await onDisk(at, '/files?path=/nothing')).status).toBe(404);
    expect((await listFiles(at)).map(({ path }) => path)).not.toContain('/node_modules');
  });

  test('read the content of a file that git ignores', async () => {
    const at = await withPackages();
    const [file, directory] = (await onDisk(at, '/files?path=/node_modules')).body.data.toReversed();
    const content = await onDisk(at, `/files/${file?.id}/content`);
    expect([content.status, content.text]).toEqual([200, '']);
    const [script] = (await onDisk(at, '/files?path=/node_modules/x')).body.data;
    expect((await onDisk(at, `/files/${script?.id}/content`)).text).toBe('module.exports = 1\n');
    expect((await onDisk(at, `/files/${directory?.id}/content`)).status).toBe(422);
    expect((await onDisk(at, '/files/fil_00000000000000000000000000/content')).status).toBe(404);
  });

  test('return a directory in pages', async () => {
    const at = await newWorkspace(await projectOf(service, { '/.gitignore': 'many/\n' }));
    await run(at, 'mkdir many; for n in $(seq 100 349); do touch many/$n; done');
    const paths: string[] = [];
    for (let next = '/files?path=/many&limit=100'; next !== ''; ) {
      const page = await onDisk(at, next);
      paths.push(...page.body.data.map(({ path }) => path));
      const cursor = /cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
      next = cursor === undefined ? '' : `/files?path=/many&limit=100&cursor=${cursor}`;
    }
    expect(paths).toEqual(Array.from({ length: 250 }, (_one, index) => `/many/${index + 100}`));
  });

  test('show only files that the sandbox has, and read neither pipes nor files that are too large', async () => {
    const at = await newWorkspace(await projectOf(service, { '/.gitignore': '*\n' }));
    await run(at, 'mkfifo pipe; head -c 100001 /dev/zero > large; ln -s / machine');
    const listed = (await onDisk(at, '/files')).body.data;
    const idOf = (name: string) => listed.find((one) => one.name === name)?.id;
    expect(idOf('pipe')).toBeUndefined();
    expect((await onDisk(at, `/files/${idOf('large')}/content`)).status).toBe(409);
    const home = await onDisk(at, '/files?path=/machine/home');
    expect(home.status, 'the sandbox has no home directories').toBe(404);
  });

  test('are for members only, and refuse other options and a workspace that is not running', async () => {
    const at = await withPackages();
    const viewer = await service.createUser();
    await addCollaborator(service, at.projectId, viewer, { role: 'viewer' });
    expect((await onDisk({ ...at, user: viewer }, '/files')).status).toBe(200);
    expect((await onDisk({ ...at, user: await service.createUser() }, '/files')).status).toBe(404);
    for (const other of ['ref=main', 'branch=main', 'recursive=true']) {
      expect((await onDisk(at, `/files?${other}`)).status, other).toBe(422);
    }
    expect((await inProject(at, 'GET', '/files?workspace=wks_00000000000000000000000000')).status).toBe(404);
    expect((await inWorkspace(at, 'POST', '/sleep')).status).toBe(200);
    const asleep = await onDisk(at, '/files');
    expect([asleep.status, asleep.text]).toEqual([409, expect.stringContaining('is not running')]);
  });
});
