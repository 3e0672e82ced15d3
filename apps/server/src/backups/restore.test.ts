import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { call } from '../testing/clients/http-client.ts';
import { useReceiver } from '../testing/clients/webhook-receiver.ts';
import { createTestDatabase } from '../testing/parts/test-database.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { contentAt, newPlace, writeFile } from '../testing/samples/sample-files.ts';
import { createWebhook, settledDeliveries } from '../testing/samples/sample-webhooks.ts';
import { startNode } from '../testing/service/node.ts';
import { startTestService, useTestService } from '../testing/service/test-service.ts';
import { fingerprint, useBackups, verifyFile } from './backups.fixture.ts';

const service = useTestService();
const receiver = useReceiver();
const backups = useBackups();

const query = async (connection: pg.ClientConfig, text: string, values: unknown[] = []) => {
  const client = new pg.Client(connection);
  await client.connect();
  return client.query(text, values).finally(() => client.end());
};

test('every row of every table is the same in the restored database', async () => {
  const place = await newPlace(service);
  await writeFile(place, '/notes/a.md', 'first\n');
  await writeFile(place, '/notes/a.md', 'second\n');
  await createWebhook(service, place.user, { url: receiver.at('/same').url, events: ['file.updated'] });
  await call('DELETE', `${service.url}/v1/projects/${(await newPlace(service, {}, place.user)).projectId}`, {
    token: place.user.key,
  });
  const before = await fingerprint(service.database.connection);
  const path = await backups.backUp(service.database.connection);
  expect(await fingerprint(service.database.connection)).toEqual(before);

  const target = await backups.newDatabase();
  await backups.restore(target, path);
  expect(await fingerprint(target)).toEqual(before);
  const jobs = 'select task_identifier, key, run_at, queue_name from graphile_worker.jobs order by 2';
  const waiting = await query(target, jobs);
  expect(waiting.rows).toEqual((await query(service.database.connection, jobs)).rows);
  expect(waiting.rows.map((job) => job.task_identifier)).toContain('projects:purge');
});

test('a service on the restored database reads, writes and accepts the keys of the former service', async () => {
  const place = await newPlace(service);
  await writeFile(place, '/a.md', 'before\n');
  const target = await backups.newDatabase();
  await backups.restore(target, await backups.backUp(service.database.connection));
  const node = await startNode({ connection: target, secretKey: service.secretKey });
  try {
    const there = { ...place, service: { ...service, url: node.url } };
    expect(await contentAt(there, '/a.md')).toBe('before\n');
    await writeFile(there, '/a.md', 'after\n');
    await writeFile(there, '/b.md', 'new\n');
    expect(await contentAt(there, '/a.md')).toBe('after\n');
  } finally {
    await node.close();
  }
  expect(await contentAt(place, '/a.md')).toBe('before\n');
});

test('a delivery that was made is not repeated, and a delivery that was due is made', async () => {
  const { running, close } = await startTestService({ role: 'api' });
  const { connection } = running.database;
  const place = await newPlace(running);
  const { url } = receiver.at('/due');
  const { webhook_id: id } = await createWebhook(running, place.user, { url, events: ['file.created'] });
  const worker = await startNode({ connection, role: 'worker', secretKey: running.secretKey });
  await writeFile(place, '/made.md');
  await settledDeliveries(running, place.user, { id, count: 1 });
  await worker.close();
  await writeFile(place, '/due.md');
  const path = await backups.backUp(connection);
  await close();

  const target = await backups.newDatabase();
  await backups.restore(target, path);
  const node = await startNode({ connection: target, role: 'all', secretKey: running.secretKey });
  try {
    await receiver.at('/due').nth(1);
    await writeFile({ ...place, service: { ...running, url: node.url } }, '/later.md');
    await receiver.at('/due').nth(2);
  } finally {
    await node.close();
  }
  const paths = receiver.at('/due').received.map(({ body }) => /\/[a-z-]+\.md/.exec(body)?.[0]);
  expect(paths).toEqual(['/made.md', '/due.md', '/later.md']);
});

test('a backup made during writes is consistent', async () => {
  const place = await newPlace(service);
  let isWriting = true;
  let written = 0;
  const writer = async (name: string) => {
    for (let count = 0; isWriting; count++) {
      await writeFile(place, `/${name}.md`, `${count}\n`);
      written += 1;
    }
  };
  const writers = ['a', 'b', 'c', 'd'].map(writer);
  await waitFor('they write', () => written > 20);
  const path = await backups.backUp(service.database.connection);
  isWriting = false;
  await Promise.all(writers);

  const target = await backups.newDatabase();
  await backups.restore(target, path);
  const { rows } = await query(
    target,
    `select (select count(*)::int from git_commits where project_id = $1) as commits,
       (select count(*)::int from events where project_id = $1 and type in ('file.created', 'file.updated')) as events,
       (select count(*)::int from git_commits c where project_id = $1 and not exists (
          select from git_objects o where o.project_id = c.project_id and o.sha = c.tree_sha)) as without_tree,
       (select count(*)::int from files f where project_id = $1 and not exists (
          select from git_objects o where o.project_id = f.project_id and o.sha = f.blob_sha)) as without_content`,
    [place.projectId],
  );
  expect(rows[0]).toMatchObject({ events: rows[0].commits, without_tree: 0, without_content: 0 });
  expect(rows[0].commits).toBeGreaterThan(20);
});

test('a backup is restored only into an empty database, and a database with accounts stays unchanged', async () => {
  await service.createUser();
  const path = await backups.backUp(service.database.connection);
  const before = await fingerprint(service.database.connection);
  await expect(backups.restore(service.database.connection, path)).rejects.toThrow('The database is not empty');
  expect(await fingerprint(service.database.connection)).toEqual(before);
});

test('a database that was migrated but never used is accepted like an empty one', async () => {
  const path = await backups.backUp(service.database.connection);
  const unused = await createTestDatabase();
  await backups.restore(unused.connection, path);
  expect(await fingerprint(unused.connection)).toEqual(await fingerprint(service.database.connection));
  await unused.drop();
});

test('a backup with a row that refers to a missing row leaves no row behind', async () => {
  await service.createUser();
  const target = await backups.migratedDatabase();
  const before = await fingerprint(target);
  // A row that a foreign key refers to is missing: the seals are valid, but the constraint is not.
  const source = await createTestDatabase();
  await query(source.connection, 'alter table api_keys drop constraint api_keys_user_id_fkey');
  await query(
    source.connection,
    "insert into users (id, email, username, name) values ('usr_1', 'a@example.com', 'a', 'A')",
  );
  await query(
    source.connection,
    `insert into api_keys (id, user_id, name, digest, hint, scopes) values ('key_1', 'usr_gone', 'k', $1, 'x', '{}')`,
    [randomBytes(32)],
  );
  const path = await backups.backUp(source.connection);
  await source.drop();
  expect((await verifyFile(path, null)).rows).toBeGreaterThan(0);
  await expect(backups.restore(target, path)).rejects.toThrow('violates foreign key constraint');
  expect(await fingerprint(target)).toEqual(before);
});
