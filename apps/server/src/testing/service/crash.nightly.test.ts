import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedDatabase } from '../../foundation/db/embedded/index.ts';
import { type Running, useCli } from '../clients/cli.ts';
import { call } from '../clients/http-client.ts';
import { waitFor } from '../parts/wait-for.ts';

const cli = useCli();
const quiet = { info() {}, warn() {} };
let dataDir: string;
let service: Running;
let key: string;
/** The ids of all acknowledged projects, over all crashes. */
const acknowledged: string[] = [];

beforeAll(async () => {
  dataDir = await cli.newDataDir();
  service = await cli.start({ BOTTEGA_DATA_DIR: dataDir });
  key = /btg_live_\w+/.exec(service.stdout())?.[0] ?? '';
});

/** Kills all processes: the others would finish their requests after the primary is gone. */
const killService = () => service.signal('SIGKILL', 'group');

/** Kills while 50 clients create one project after the other, and returns when each of them has been cut off. */
async function killWhileCreating(kill: () => void, prefix: string): Promise<{ cutOff: number }> {
  const before = acknowledged.length;
  let cutOff = 0;
  const url = `${service.url}/v1/projects`;
  const clients = Array.from({ length: 50 }, async (_, client) => {
    for (let number = 0; ; number++) {
      const json = { name: `${prefix} ${client} ${number}` };
      const answer = await call('POST', url, { token: key, json }).catch(() => null);
      if (!answer) return cutOff++;
      expect(answer.status).toBe(201);
      acknowledged.push(String(answer.body.id));
      if (acknowledged.length - before === 30) kill();
    }
  });
  await Promise.all(clients);
  await service.ended;
  return { cutOff };
}

const postmaster = () => Number.parseInt(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);

async function query(text: string): Promise<Record<string, unknown>[]> {
  const { connection } = await openEmbeddedDatabase({ dataDir, holder: 'command', description: 'a test', log: quiet });
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Everything acknowledged is there, and everything there is complete. */
async function expectNothingLostNorHalf(): Promise<void> {
  const projects = await query(`
    select p.id, s.project_id is not null as has_stats, l.project_id is not null as is_listed,
      (select count(*)::int from events e where e.project_id = p.id and e.type = 'project.created') as events
    from projects p
    left join project_stats s on s.project_id = p.id
    left join project_listing l on l.project_id = p.id and l.user_id = p.owner_id`);
  const ids = new Set(projects.map(({ id }) => id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  const half = projects.filter((row) => !row.has_stats || !row.is_listed || row.events !== 1);
  expect(half).toEqual([]);
  const orphans = await query(
    "select 1 from events where type = 'project.created' and project_id not in (select id from projects)",
  );
  expect(orphans).toEqual([]);
  const list = await call<{ pagination: { total: number } }>('GET', `${service.url}/v1/projects?limit=1`, {
    token: key,
  });
  expect(list.body.pagination.total).toBe(projects.length);
}

describe('after SIGKILL in the middle of many requests, everything that was acknowledged is there again', () => {
  test('if only the service was killed, which takes over its database at the next start', async () => {
    const { cutOff } = await killWhileCreating(killService, 'One');
    expect(cutOff).toBeGreaterThan(0);
    const orphan = postmaster();
    service = await cli.start({ BOTTEGA_DATA_DIR: dataDir });
    expect(postmaster()).toBe(orphan);
    await expectNothingLostNorHalf();
  });

  test('if the database was killed with the service, and recovers by itself', async () => {
    const { cutOff } = await killWhileCreating(() => {
      const database = postmaster();
      // Kills the service first: otherwise it would answer, correctly, that its database is down.
      killService();
      process.kill(database, 'SIGKILL');
    }, 'Two');
    expect(cutOff).toBeGreaterThan(0);
    service = await cli.start({ BOTTEGA_DATA_DIR: dataDir });
    await expectNothingLostNorHalf();
  });

  test('if only the database was killed, which the service starts again', async () => {
    process.kill(postmaster(), 'SIGKILL');
    const created = await waitFor(
      'the service works again',
      async () => {
        const answer = await call('POST', `${service.url}/v1/projects`, { token: key, json: { name: 'Three' } });
        if (answer.status !== 201) expect(answer.status).toBe(503);
        return answer.status === 201 && answer;
      },
      30_000,
    );
    acknowledged.push(String(created.body.id));
    await expectNothingLostNorHalf();
  });

  test('and the service still stops in order', async () => {
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });
});
