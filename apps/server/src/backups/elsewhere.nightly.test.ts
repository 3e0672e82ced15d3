import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { useReceiver } from '../testing/clients/webhook-receiver.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { newPlace, type Place, writeFile } from '../testing/samples/sample-files.ts';
import { createWebhook } from '../testing/samples/sample-webhooks.ts';
import { startNode } from '../testing/service/node.ts';
import { type TestService, useTestService } from '../testing/service/test-service.ts';
import { useBackups } from './backups.fixture.ts';
import { readChecksums } from './releases/asking.fixture.ts';
import { expectFilled } from './releases/expect-filled.fixture.ts';
import { fillService } from './releases/fill-service.fixture.ts';
import type { Known } from './releases/known.ts';

const service = useTestService({ role: 'api' });
const elsewhere = {} as TestService;
const client = useGitClient(elsewhere);
const receiver = useReceiver();
const backups = useBackups();

/** Filled with a worker beside it, which is then stopped: later jobs stay due. */
async function fill(): Promise<Known> {
  const { key: adminKey } = await service.createUser({ isAdmin: true });
  const { connection } = service.database;
  const worker = await startNode({ connection, role: 'worker', secretKey: service.secretKey });
  return fillService({ url: service.url, adminKey }).finally(worker.close);
}

/** A backup that begins and ends while four people write. */
async function backUpUnderWrites(place: Place): Promise<string> {
  let isWriting = true;
  let written = 0;
  const writers = ['a', 'b', 'c', 'd'].map(async (name) => {
    for (let count = 0; isWriting; count++) {
      await writeFile(place, `/${name}/${count % 7}.md`, `${name} ${count}\n`);
      written += 1;
    }
  });
  await waitFor('they write', () => written > 20);
  const path = await backups.backUp(service.database.connection).finally(() => {
    isWriting = false;
  });
  await Promise.all(writers);
  return path;
}

/** Files and commits are from one moment, though the backup was made during writes. */
async function expectWritten({ user, projectId }: Place): Promise<void> {
  const clone = await client.clone(projectId, user);
  expect(await clone.git('fsck', '--full', '--strict')).toBe('');
  const paths = (await clone.git('ls-files')).split('\n');
  const atHead: [string, string][] = [];
  for (const path of paths) {
    const content = await readFile(join(clone.directory, path));
    atHead.push([`/${path}`, createHash('sha256').update(content).digest('hex')]);
  }
  expect(await readChecksums(elsewhere.url, user.key, projectId)).toEqual(Object.fromEntries(atHead));
}

test('a backup made during writes is complete elsewhere, and due deliveries are made once, with their signature', async () => {
  const known = await fill();
  const place = await newPlace(service);
  const { url } = receiver.at('/due');
  const { secret } = await createWebhook(service, place.user, {
    url,
    events: ['file.created'],
    project_id: place.projectId,
  });
  await writeFile(place, '/due.md');
  const path = await backUpUnderWrites(place);

  const target = await backups.newDatabase();
  await backups.restore(target, path);
  const node = await startNode({ connection: target, secretKey: service.secretKey });
  Object.assign(elsewhere, { ...service, url: node.url });
  try {
    await expectFilled({ url: node.url, known, receiver });
    await expectWritten(place);
    const worker = await startNode({ connection: target, role: 'worker', secretKey: service.secretKey });
    const there = { ...place, service: elsewhere };
    await writeFile(there, '/last.md');
    const paths = () => receiver.at('/due').received.map(({ body }) => /\/[a-z]+\.md/.exec(body)?.[0]);
    await waitFor('the last one is delivered', () => paths().includes('/last.md')).finally(worker.close);
    expect(paths().filter((one) => one === '/due.md')).toHaveLength(1);
  } finally {
    await node.close();
  }
  for (const { body, headers } of receiver.at('/due').received) {
    expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
  }
});
