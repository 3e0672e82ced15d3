import type { Usage } from '@bottega/contract';
import { expect, test } from 'vitest';
import { inBatches } from '../../foundation/db/index.ts';
import { call } from '../../testing/clients/http-client.ts';
import { newPlace, writeFile } from '../../testing/samples/sample-files.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { joinSession, onSessions, openSocket, startSession } from '../../testing/samples/sample-sessions.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { countLiveBytes } from '../live-bytes.sql.ts';
import { purgeTexts } from '../texts/index.ts';
import { deleteOldSessions } from './sessions.sql.ts';

const service = useTestService({ role: 'api' });

async function sessionOver(column: 'ended_at' | 'expires_at', days: number): Promise<string> {
  const session = await startSession(service, await service.createUser());
  await joinSession(service, await service.createUser(), session, { byLink: true });
  await service.pool.query(
    `update collaboration_sessions set ${column} = now() - make_interval(days => $2) where id = $1`,
    [session.session_id, days],
  );
  return session.session_id;
}

const known = async (ids: string[]) => {
  const { rows } = await service.pool.query('select id from collaboration_sessions where id = any($1)', [ids]);
  return ids.filter((id) => rows.some((row) => row.id === id));
};

test('sessions that ended longer ago than the retention time are deleted with all their data, in batches', async () => {
  const old = [
    await sessionOver('ended_at', 31),
    await sessionOver('expires_at', 31),
    await sessionOver('ended_at', 40),
  ];
  const kept = [
    await sessionOver('ended_at', 29),
    await sessionOver('expires_at', 29),
    (await startSession(service, await service.createUser())).session_id,
  ];
  const batches: number[] = [];
  await inBatches(
    async (max) => {
      batches.push(await deleteOldSessions(service.db, 30, max));
      return batches.at(-1) ?? 0;
    },
    { first: 2 },
  );
  expect(batches).toEqual([2, 1]);
  expect(await known([...old, ...kept])).toEqual(kept);
  const { rows } = await service.pool.query('select from session_participants where session_id = any($1)', [old]);
  expect(rows).toEqual([]);
});

test('comments count as stored bytes of the owner of the project until they are deleted, even after their session', async () => {
  const owner = await service.createUser();
  const used = async () => {
    await countLiveBytes(service.db);
    return (await call<Usage>('GET', `${service.url}/v1/user/usage`, { token: owner.key })).body.stored_bytes.used;
  };
  const { id: projectId } = await createProject(service, owner);
  const session = await startSession(service, owner, { workspace_id: projectId });
  const before = await used();
  const comment = { file_path: '/a.txt', position: { line: 1, column: 1 }, content: 'x'.repeat(5000), type: 'comment' };
  const made = await onSessions(service, owner, ['POST', `/${session.session_id}/comments`, comment]);
  expect(made.status, made.text).toBe(201);
  expect((await used()) - before).toBeGreaterThanOrEqual(5000);
  await onSessions(service, owner, ['DELETE', `/${session.session_id}`]);
  await deleteOldSessions(service.db, 0, 20);
  expect((await used()) - before).toBeGreaterThanOrEqual(5000);
  const comments = `${service.url}/v1/projects/${projectId}/comments`;
  const gone = await call('DELETE', `${comments}/${made.body.id}`, { token: owner.key });
  expect(gone.status, gone.text).toBe(204);
  expect(await used()).toBe(before);
});

test('live texts count as stored, and are deleted with the last session of their project unless they are unsaved', async () => {
  const place = await newPlace(service, { settings: { auto_save: false } });
  const { session_id: id } = await startSession(service, place.user, { workspace_id: place.projectId });
  for (const path of ['/saved.txt', '/unsaved.txt']) {
    await writeFile(place, path, 'x'.repeat(3000));
    const socket = await openSocket(service, { session_id: id }, { key: place.user.key });
    socket.send({ type: 'open_file', file_path: path });
    await socket.next('file_state');
    const changes = [{ type: 'insert', position: { line: 1, column: 1 }, text: 'typed' }];
    socket.send({ type: 'code_change', file_path: path, changes, seq: 1 });
    await socket.next('ack', ({ durable }) => durable === true);
    if (path === '/saved.txt') socket.send({ type: 'save', file_path: path, seq: 2 });
    if (path === '/saved.txt') await socket.next('saved');
    socket.ws.close();
    await socket.closed;
  }
  const texts = async () => {
    await countLiveBytes(service.db);
    const { rows } = await service.pool.query(
      `select path, s.live_bytes::int as bytes from live_texts t join project_stats s using (project_id)
       where project_id = $1 order by path`,
      [place.projectId],
    );
    return rows as { path: string; bytes: number }[];
  };
  await purgeTexts(service.db);
  const before = await texts();
  expect(before.map(({ path }) => path)).toEqual(['/saved.txt', '/unsaved.txt']);
  expect(before[0]?.bytes).toBeGreaterThan(6000);
  await onSessions(service, place.user, ['DELETE', `/${id}`]);
  await deleteOldSessions(service.db, 0, 20);
  await purgeTexts(service.db);
  const [kept, ...others] = await texts();
  expect(others).toEqual([]);
  expect(kept?.path).toBe('/unsaved.txt');
  expect(kept?.bytes).toBeLessThan(before[0]?.bytes ?? 0);
});
