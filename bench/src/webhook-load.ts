import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { appendEvents } from '../../apps/server/src/events/index.ts';
import { nudgeNodes } from '../../apps/server/src/foundation/cluster/nudges.sql.ts';
import { secretBox } from '../../apps/server/src/foundation/crypto/secret-box.ts';
import type { Db } from '../../apps/server/src/foundation/db/pool.ts';
import { transaction } from '../../apps/server/src/foundation/db/transaction.ts';
import { newId } from '../../apps/server/src/foundation/ids.ts';
import { secretKey } from './seed.ts';
import { send } from './send.ts';
import type { Connection } from './start-server.ts';

export type Context = { bottega: string; connection: Connection; user: { id: string; key: string }; quick: boolean };
export type Bench = Context & { db: Db; receiver: string; sender: string };

const writers = 4;
const noCause = { actorId: null, requestId: 'req_bench', idempotencyKey: null };

/** The data that Bottega sends; the bare loop sends the same text repeatedly. */
export const data = (project: string) => ({
  file_id: 'fil_01jd2m6vz8e3r9x5k7q4w1t0ab',
  project_id: project,
  project_name: 'Bench',
  file_path: '/src/part0/group0/file0.ts',
  file_name: 'file0.ts',
  file_type: 'text/x-typescript',
  size: 540,
  updated_by: { name: 'Bench', email: 'bench@example.com', username: 'bench' },
  changes: { lines_added: 1, lines_removed: 0, lines_modified: 19 },
  commit_sha: '83ca6b31ea3f4a3a7a4a7d1e6f6f2e2c5e5a9b10',
  branch: 'main',
  diff_url: `https://bottega.example.com/v1/projects/${project}/commits/83ca6b31ea3f4a3a7a4a7d1e6f6f2e2c5e5a9b10`,
});

/** A hundred events in a transaction, like a push of a hundred files. */
async function commitEvents(db: Db, accountId: string, projects: string[], from: number): Promise<void> {
  const events = Array.from({ length: 100 }, (_, index) => {
    const projectId = projects[(from + index) % projects.length] ?? '';
    return { type: 'file.updated' as const, accountId, projectId, data: data(projectId) };
  });
  await transaction(db, (trx) => appendEvents(trx, events, noCause));
  await nudgeNodes(db, 'events');
}

/** This number of projects, each with its own webhook. */
export async function webhooksOn(
  bench: Pick<Bench, 'db' | 'user' | 'bottega'>,
  urls: string[],
  ordered = false,
): Promise<string[]> {
  const { db, user, bottega } = bench;
  const projects: string[] = [];
  for (const url of urls) {
    const { id } = await send<{ id: string }>({ bottega, key: user.key }, 'POST', '/projects', { name: 'Webhooks' });
    projects.push(id);
    await db
      .insertInto('webhooks')
      .values({
        id: newId('whk'),
        owner_id: user.id,
        created_by: user.id,
        project_id: id,
        format: 'reference',
        name: 'Bench',
        url,
        events: ['project.updated', 'file.updated'],
        secret_encrypted: secretBox(secretKey, 'webhooks').seal('whsec_c2VjcmV0'),
        timeout: 30,
        ordered,
      })
      .execute();
  }
  return projects;
}

/** Events of these projects in turn, by concurrent writers. */
export async function makeEvents(
  { db, user }: Pick<Bench, 'db' | 'user'>,
  projects: string[],
  times: number,
): Promise<void> {
  let made = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let from = made; from < times; from = made) {
        made += 100;
        await commitEvents(db, user.id, projects, from);
      }
    }),
  );
}

export const dropWebhooks = (db: Db) => db.deleteFrom('webhooks').execute();

export async function completed(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_health')
    .select(sql<number>`coalesce(sum(successful + failed), 0)::bigint`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function untilCompleted(db: Db, count: number): Promise<void> {
  while ((await completed(db)) < count) await delay(10);
}

export async function bareSender(
  { sender, receiver }: Bench,
  path: string,
  times: number,
  atOnce: number,
): Promise<number> {
  const body = JSON.stringify({
    event: 'file.updated',
    webhook_id: newId('whk'),
    delivery_id: newId('dlv'),
    data: data(''),
  });
  const answer = await fetch(sender, {
    method: 'POST',
    body: JSON.stringify({ url: `${receiver}${path}`, body, times, atOnce }),
  });
  return ((await answer.json()) as { perSecond: number }).perSecond;
}

/** The number of arrivals since the last call. */
export async function arrivedAt(receiver: string): Promise<{ count: number; lags: number[] }> {
  const answer = await fetch(`${receiver}/figures`);
  return (await answer.json()) as { count: number; lags: number[] };
}
