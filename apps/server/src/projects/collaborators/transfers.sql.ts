import { type RawBuilder, sql } from 'kysely';
import { allRows, type Queries, type RowWithout, type Trx } from '../../foundation/db/index.ts';

/** `address` is the address that the owner entered. Null if they entered the id. */
export type TransferRow = RowWithout<'project_transfers'> & {
  project_name: string;
  to_name: string;
  to_email: string;
  from_id: string;
  from_name: string;
  from_email: string;
  status: 'pending' | 'expired';
};

function select(db: Queries, condition: RawBuilder<unknown>): Promise<TransferRow[]> {
  return allRows<TransferRow>(db)`
    select t.project_id, p.name as project_name, t.recipient_id, t.address, r.name as to_name, r.email as to_email,
      o.id as from_id, o.name as from_name, o.email as from_email,
      case when t.expires_at <= clock_timestamp() then 'expired' else 'pending' end as status,
      t.created_at, t.expires_at
    from project_transfers t
    join projects p on p.id = t.project_id
    join users o on o.id = p.owner_id
    join users r on r.id = t.recipient_id
    where p.deleted_at is null and ${condition}
    order by t.created_at desc, t.project_id`;
}

export async function findTransfer(db: Queries, projectId: string): Promise<TransferRow | undefined> {
  return (await select(db, sql`t.project_id = ${projectId}`))[0];
}

export function listTransfersTo(db: Queries, userId: string): Promise<TransferRow[]> {
  return select(db, sql`t.recipient_id = ${userId} and t.expires_at > clock_timestamp()`);
}

/** Inserts a transfer, or replaces an expired one. */
export async function putTransfer(
  trx: Trx,
  offer: { projectId: string; recipientId: string; address: string | null; days: number },
): Promise<void> {
  const { projectId, recipientId, address, days } = offer;
  await sql`
    insert into project_transfers (project_id, recipient_id, address, expires_at)
    values (${projectId}, ${recipientId}, ${address}, clock_timestamp() + make_interval(days => ${days}))
    on conflict (project_id) do update
    set recipient_id = excluded.recipient_id, address = excluded.address, created_at = excluded.created_at, expires_at = excluded.expires_at`.execute(
    trx,
  );
}

export async function deleteTransfer(trx: Trx, projectId: string): Promise<void> {
  await trx.deleteFrom('project_transfers').where('project_id', '=', projectId).execute();
}
