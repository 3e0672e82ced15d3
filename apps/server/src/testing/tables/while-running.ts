import { waitFor } from '../parts/wait-for.ts';
import type { Asked, Caller } from './documented-route.ts';

let runs = 0;

/** A request while another with the same Idempotency-Key has begun and cannot end yet. */
export async function whileRunning(
  caller: Caller,
  table: string,
  asked: { path: string; json?: unknown },
): Promise<Asked> {
  const { service, token, url } = caller;
  const headers = { 'idempotency-key': `running-${++runs}` };
  const blocker = await service.pool.connect();
  await blocker.query(`begin; lock table ${table} in exclusive mode`);
  const first = fetch(url(asked.path), {
    method: 'POST',
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(asked.json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(asked.json !== undefined && { body: JSON.stringify(asked.json) }),
  });
  await waitFor('the first request holds its key and waits', async () => {
    const { rows } = await service.pool.query(
      `select from pg_locks claim join pg_locks wait using (pid)
       where claim.locktype = 'advisory' and claim.granted and not wait.granted and wait.relation = $1::regclass
         and wait.database = (select oid from pg_database where datname = current_database())`,
      [table],
    );
    return rows.length > 0;
  });
  async function after(): Promise<void> {
    await blocker.query('rollback');
    blocker.release();
    await first;
  }
  return { ...asked, headers, after };
}
