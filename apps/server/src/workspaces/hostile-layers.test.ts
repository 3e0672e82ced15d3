import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import type { Workspace } from '@bottega/contract';
import { expect, test } from 'vitest';
import { newId } from '../foundation/ids.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import {
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { encodeHeaders, endOfArchive } from './agent/tar.mjs';

type Entry = Parameters<typeof encodeHeaders>[0];
const compress = promisify(zstdCompress);
const base = { mode: 0o644, size: 0, mtime: 0, target: '' };
const file = (path: string, size = 0): Entry => ({ ...base, path, kind: 'file', size });
const link = (path: string, target: string): Entry => ({ ...base, path, kind: 'link', target });
const copy = (path: string, target: string): Entry => ({ ...base, path, kind: 'copy', target });
const archive = (...entries: Entry[]) => compress(Buffer.concat([...entries.map(encodeHeaders), endOfArchive]));

/** A character device, which the writer cannot write. */
function device(): Buffer {
  const head = encodeHeaders(file('device'));
  head.write('3', 156, 'latin1');
  return head;
}

const outside = `/tmp/bottega-outside-${process.pid}`;
const cases: [string, () => Promise<Buffer>, string][] = [
  ['a file behind a link that leads out', () => archive(link('a', '/tmp'), file('a/x')), 'writes through a link'],
  [
    'a file behind a link to a system directory',
    () => archive(link('a', '/etc'), file('a/x')),
    'writes through a link',
  ],
  ['an absolute path', () => archive(file(outside)), 'leads out of it'],
  ['a path with two dots', () => archive(file(`../..${outside}`)), 'leads out of it'],
  ['a hard link to a file of the system', () => archive(copy('a', '/etc/passwd')), 'leads out of it'],
  ['a hard link behind a link', () => archive(link('a', '/etc'), copy('b', 'a/passwd')), ''],
  ['a device', () => compress(Buffer.concat([device(), endOfArchive])), 'an entry of type'],
  ['a file twice', () => archive(file('a'), file('a')), 'EEXIST'],
  ['a file that is larger than the disk', () => archive(file('a', 2 ** 32)), 'more than 67108864 bytes'],
  ['a piece that grows', () => compress(Buffer.alloc(2 ** 26)), 'larger than'],
  ['too many files', () => archive(...Array.from({ length: 17_000 }, (_, number) => file(`${number}`))), ''],
  ['no end', async () => compress(encodeHeaders(file('a', 10))), 'ends too early'],
  ['no archive at all', async () => Buffer.from('nothing of the kind'), ''],
];

describeWith(workspacePrograms, 'an archive of a workspace that an attacker made', () => {
  const service = useTestService({ settings: { ...workspaceSettings, BOTTEGA_WORKSPACE_DISK: String(2 ** 26) } });

  async function plant(projectId: string, workspaceId: string, piece: Buffer): Promise<void> {
    const digest = createHash('sha256').update(piece).digest();
    const id = newId('lay');
    await service.pool.query('insert into artifact_chunks (project_id, digest, content) values ($1, $2, $3)', [
      ...[projectId, digest, piece],
    ]);
    await service.pool.query(
      "insert into workspace_layers (id, project_id, kind, chunks, is_complete) values ($1, $2, 'workspace', $3, true)",
      [id, projectId, digest],
    );
    await service.pool.query("update workspaces set layer_id = $2, packed_home = 'elsewhere' where id = $1", [
      ...[workspaceId, id],
    ]);
  }

  test.each(cases)('with %s is not used, and changes nothing', async (_, make, words) => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    await inWorkspace(at, 'POST', '/sleep');
    await plant(place.projectId, at.workspace.id, await make());
    expect((await run(at, `ls; ls ${outside} /tmp/x /etc/x`)).stdout).toBe('a.txt\n');
    const { reason } = (await inWorkspace<Workspace>(at, 'GET', '')).body;
    expect(reason).toContain('Files that git ignores are missing: ');
    expect(reason).toContain(words);
    await inWorkspace(at, 'DELETE', '');
  });
});
