import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { flushPkt, pktLine } from '../objects/pkt-line.ts';
import { useDirectory, useGitClient } from './git-client.fixture.ts';
import { fewReceived } from './push.service.ts';

const data = useDirectory('data');
const service = useTestService({ settings: { BOTTEGA_DATA_DIR: data } });
const client = useGitClient(service);
const sockets: Socket[] = [];
let owner: TestUser;
let projectId: string;

beforeAll(async () => {
  owner = await service.createUser();
  projectId = (await createProject(service, owner)).id;
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const onDisk = async () => (await readdir(join(data, 'cache/push')).catch(() => [])).length;

/** A push that stops in the middle of its pack. Returns the answer so far. */
function beginPush(): { socket: Socket; answer: () => string } {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  const lines = [
    `POST /git/${projectId}.git/git-receive-pack HTTP/1.1`,
    'Host: x',
    `Authorization: Basic ${Buffer.from(`x:${owner.key}`).toString('base64')}`,
    'Content-Type: application/x-git-receive-pack-request',
    'Content-Length: 100000',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(pktLine(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/x\0 report-status\n`));
  socket.write(flushPkt);
  socket.write(Buffer.concat([Buffer.from('PACK\0\0\0\x02\0\0\0\x09', 'latin1'), randomBytes(2_000)]));
  return { socket, answer: () => text };
}

test('only a few packs of one account are received or wait at a time, and other accounts can push meanwhile', async () => {
  const { perAccount, maxWaiting } = fewReceived;
  const begun = Array.from({ length: perAccount + maxWaiting + 1 }, beginPush);
  await waitFor('one is refused', () => begun.some(({ answer }) => answer().startsWith('HTTP/1.1 503')));
  await waitFor('the first are received', async () => (await onDisk()) >= perAccount);
  expect(await onDisk()).toBe(perAccount);
  expect(begun.filter(({ answer }) => answer() !== '')).toHaveLength(1);

  const other = await service.createUser();
  const others = await createProject(service, other);
  const clone = await client.clone(others.id, other);
  await clone.commit('One', { 'a.txt': 'a' });
  await clone.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');

  for (const { socket } of begun) socket.destroy();
  await waitFor('their turns are given back', async () => (await onDisk()) === 0);
});
