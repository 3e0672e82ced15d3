import { sql } from 'kysely';
import { firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';

export type ProjectRow = {
  id: string;
  name: string;
  description: string;
  collaboration_enabled: boolean;
  auto_save: boolean;
  version_control: boolean;
  owner_name: string;
  owner_email: string;
};

export function findProject(db: Queries, id: string): Promise<ProjectRow | undefined> {
  return firstRow<ProjectRow>(db)`
    select p.id, p.name, p.description, p.collaboration_enabled, p.auto_save, p.version_control,
      o.name as owner_name, o.email as owner_email
    from projects p join users o on o.id = p.owner_id
    where p.id = ${id} and p.deleted_at is null`;
}

/** Allows the transaction to be idle for long, because writing the file can take long. */
export async function allowIdleTransaction(trx: Trx): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
}
