import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '../../foundation/db/transaction.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { recordingTexts } from '../../testing/samples/recording-texts.ts';
import { addCollaborator, createProject } from '../../testing/samples/sample-projects.ts';
import { openSocket, participantsOf, startSession } from '../../testing/samples/sample-sessions.ts';
import { startTestService, type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { createOwners, type Owners } from './owners.ts';

const service = useTestService({ role: 'api', createLiveTexts: recordingTexts });
let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
});
const started: Owners[] = [];
afterEach(async () => {
  for (const owners of started.splice(0)) await owners.stop();
});

type Heard = { lost: string[]; left: string[]; forgotten: number };

async function node(nodeId: string, { leaseSeconds = 1, beats = true } = {}) {
  const heard: Heard = { lost: [], left: [], forgotten: 0 };
  const owners = createOwners({
    db: service.db,
    vital: service.db,
    nodeId,
    address: () => `http://${nodeId}`,
    leaseSeconds,
    onError: (error) => {
      throw error;
    },
  });
  started.push(owners);
  if (beats) {
    await owners.start({
      isInUse: () => true,
      leave: async (projectId) => void heard.left.push(projectId),
      lost: async (projectId) => void heard.lost.push(projectId),
      forgotten: async () => void heard.forgotten++,
    });
  }
  return { owners, heard };
}

const newProject = async () => (await createProject(service, user)).id;
const expire = (projectId: string) =>
  service.pool.query("update live_owners set expires_at = now() - interval '1 second' where project_id = $1", [
    projectId,
  ]);

describe('the owner of a project', () => {
  test('is a single node, even if many ask at once (L18)', async () => {
    const projectId = await newProject();
    const nodes = await Promise.all(['a1', 'a2', 'a3', 'a4'].map((id) => node(id)));
    const places = await Promise.all(nodes.flatMap(({ owners }) => [1, 2, 3].map(() => owners.placeOf(projectId))));
    expect(places.filter(({ here }) => here)).toHaveLength(3);
    const elsewhere = new Set(places.flatMap((place) => (place.here ? [] : [place.address])));
    expect(elsewhere.size).toBe(1);
  });

  test('stays the same while it renews its lease, and changes when it does not', async () => {
    const projectId = await newProject();
    const first = await node('b1');
    const second = await node('b2');
    expect(await first.owners.acquire(projectId)).toBe(true);
    const { rows: before } = await service.pool.query(
      'select epoch, expires_at from live_owners where project_id = $1',
      [projectId],
    );
    await waitFor('it is renewed', async () => {
      const { rows } = await service.pool.query('select expires_at from live_owners where project_id = $1', [
        projectId,
      ]);
      return rows[0].expires_at > before[0].expires_at;
    });
    expect(await second.owners.acquire(projectId)).toBe(false);
    const dead = await node('b3', { beats: false });
    const { rows } = await service.pool.query(
      'update live_owners set node_id = $2, expires_at = now() where project_id = $1 returning epoch',
      [projectId, 'nobody'],
    );
    expect(await dead.owners.acquire(projectId)).toBe(true);
    const { rows: after } = await service.pool.query('select epoch from live_owners where project_id = $1', [
      projectId,
    ]);
    expect(after[0].epoch).toBeGreaterThan(rows[0].epoch);
    await waitFor('the first hears of it', () => first.heard.lost.includes(projectId));
    expect(await first.owners.acquire(projectId)).toBe(false);
  });

  test('continues after its lease ran out if no other node took over', async () => {
    const projectId = await newProject();
    const { owners, heard } = await node('c1', { leaseSeconds: 2 });
    await owners.acquire(projectId);
    await expire(projectId);
    await transaction(service.db, (trx) => owners.assertHeld(trx, projectId));
    await owners.beatOnce();
    expect(heard.lost).toEqual([]);
    const other = await node('c2');
    expect(await other.owners.acquire(projectId)).toBe(false);
  });
});

describe('the write fence', () => {
  test('refuses the writes of a node that does not know yet that it lost the project (L19)', async () => {
    const projectId = await newProject();
    const paused = await node('d1', { beats: false });
    const next = await node('d2', { beats: false });
    await paused.owners.acquire(projectId);
    await transaction(service.db, (trx) => paused.owners.assertHeld(trx, projectId));
    await expire(projectId);
    expect(await next.owners.acquire(projectId)).toBe(true);
    await expect(transaction(service.db, (trx) => paused.owners.assertHeld(trx, projectId))).rejects.toThrow(
      "another node's",
    );
    await transaction(service.db, (trx) => next.owners.assertHeld(trx, projectId));
  });

  test('does not prevent a node from renewing its lease while it writes', async () => {
    const projectId = await newProject();
    const { owners, heard } = await node('f1', { leaseSeconds: 60 });
    await owners.acquire(projectId);
    await expire(projectId);
    await transaction(service.db, async (trx) => {
      await owners.assertHeld(trx, projectId);
      await owners.beatOnce();
      const { rows } = await service.pool.query(
        'select expires_at > now() as runs from live_owners where project_id = $1',
        [projectId],
      );
      expect(rows).toEqual([{ runs: true }]);
    });
    expect(heard.lost).toEqual([]);
  });

  test('makes a new owner wait for a write in progress (L19)', async () => {
    const projectId = await newProject();
    const writing = await node('e1', { beats: false });
    const next = await node('e2', { beats: false });
    await writing.owners.acquire(projectId);
    await expire(projectId);
    const order: string[] = [];
    let taking: Promise<unknown> = Promise.resolve();
    await transaction(service.db, async (trx) => {
      await writing.owners.assertHeld(trx, projectId);
      taking = next.owners.acquire(projectId).then((taken) => order.push(`taken: ${taken}`));
      await waitFor('the other waits for the row', async () => {
        const { rows } = await service.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%live_owners%'",
        );
        return rows.length > 0;
      });
      order.push('written');
    });
    await taking;
    expect(order).toEqual(['written', 'taken: true']);
  });
});

test('the sockets of a node without a heartbeat do not count, and make nobody active', async () => {
  const session = await startSession(service, user);
  await service.pool.query(
    "insert into live_nodes (id, address, beat_at) values ('dead', 'x', now() - interval '20 seconds')",
  );
  for (let index = 0; index < 10; index++) {
    await service.pool.query(
      "insert into live_sockets (id, node_id, session_id, user_id) values ($1, 'dead', $2, $3)",
      [`dead ${index}`, session.session_id, user.id],
    );
  }
  const other = await service.createUser();
  await addCollaborator(service, session.workspace_id, other, { role: 'viewer' });
  await service.pool.query('update session_participants set active_until = null');
  expect(await participantsOf(service, other, session)).toMatchObject([{ status: 'away' }]);
  const socket = await openSocket(service, session, { key: user.key });
  socket.ws.close();
  await socket.closed;
});

test('a node that was forgotten by the others registers again, with its sockets', async () => {
  const session = await startSession(service, user);
  const socket = await openSocket(service, session, { key: user.key });
  await service.pool.query('delete from live_nodes');
  await waitFor('its socket is there again', async () => {
    const { rows } = await service.pool.query('select from live_sockets where session_id = $1', [session.session_id]);
    return rows.length === 1;
  });
  await service.pool.query('delete from live_nodes');
  const second = await openSocket(service, session, { key: user.key });
  for (const one of [socket, second]) one.ws.close();
  await Promise.all([socket.closed, second.closed]);
});

test('a node that stops stores the content of its texts before it closes their sockets (L21)', async () => {
  const texts = recordingTexts();
  const order: string[] = [];
  const { running, close } = await startTestService({
    role: 'api',
    createLiveTexts: () => ({
      ...texts,
      async drain() {
        order.push(`stored with ${texts.peers.size}`);
      },
    }),
  });
  const somebody = await running.createUser();
  const session = await startSession(running, somebody);
  const socket = await openSocket(running, session, { key: somebody.key });
  await close();
  expect(await socket.closed).toMatchObject({ code: 1012 });
  expect(order).toEqual(['stored with 1', 'stored with 0']);
});
