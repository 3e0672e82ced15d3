import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { flushPkt, pktLine } from '../objects/pkt-line.ts';
import { useDirectory, useGitClient } from './git-client.fixture.ts';

const mebibyte = 1024 ** 2;
const data = useDirectory('data');
const service = useTestService({
  settings: { BOTTEGA_DATA_DIR: data, BOTTEGA_STORAGE_LIMIT_FREE: String(mebibyte) },
});
const client = useGitClient(service);

test('a push larger than the remaining storage of the plan is refused, and git shows the reason', async () => {
  const owner = await service.createUser();
  const { id } = await createProject(service, owner);
  const clone = await client.clone(id, owner);
  await clone.commit('Small', { 'small.bin': randomBytes(500_000).toString('base64') });
  await clone.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
  await clone.commit('Large', { 'large.bin': randomBytes(7 * mebibyte).toString('base64') });
  const { ok, stderr } = await clone.tryGit('push', 'origin', 'HEAD:refs/heads/main');
  expect([ok, stderr]).toEqual([false, expect.stringContaining('exceeds the remaining storage of the plan')]);
  expect(stderr).toMatch(/remote: The project owner's plan has \d+ bytes of storage left/);
});

test('a pack that is too large takes hardly more space on the disk than the plan has left', async () => {
  const owner = await service.createUser();
  const { id } = await createProject(service, owner);
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const lines = [
    `POST /git/${id}.git/git-receive-pack HTTP/1.1`,
    'Host: x',
    `Authorization: Basic ${Buffer.from(`x:${owner.key}`).toString('base64')}`,
    'Content-Type: application/x-git-receive-pack-request',
    `Content-Length: ${200 * mebibyte}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(pktLine(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/x\0 report-status\n`));
  socket.write(flushPkt);
  socket.write(Buffer.from('PACK\0\0\0\x02\0\0\0\x09', 'latin1'));
  // The service reads everything that was sent, so that the client reads the answer in the end.
  for (let sent = 0; sent < 20; sent++) if (!socket.write(randomBytes(mebibyte))) await once(socket, 'drain');
  const received = async () => {
    const root = join(data, 'cache/push');
    const [directory = ''] = await readdir(root);
    return (await stat(join(root, directory, 'incoming.pack'))).size;
  };
  await waitFor('some of it was received', async () => (await received()) > 4 * mebibyte);
  await waitFor('all of it was read', () => socket.bytesWritten > 20 * mebibyte && socket.writableLength === 0);
  expect(await received()).toBeLessThan(6 * mebibyte);
  socket.destroy();
  await waitFor('nothing is left', async () => (await readdir(join(data, 'cache/push'))).length === 0);
});
