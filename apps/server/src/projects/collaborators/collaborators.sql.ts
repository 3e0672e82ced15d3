import type { Permission, Role } from '@bottega/contract';
import { type RawBuilder, sql } from 'kysely';
import {
  allRows,
  cleanRows,
  type Db,
  type Queries,
  type RowOf,
  selectList,
  type Trx,
} from '../../foundation/db/index.ts';

const columns = [
  'id',
  'project_id',
  'user_id',
  'email',
  'role',
  'permissions',
  'message',
  'invited_by',
  'invited_at',
  'joined_at',
  'expires_at',
] as const;

/**
 * A collaborator or an invitation, with its account if there is one. The address is the invited one or, after joining,
 * that of the account.
 */
export type CollaboratorRow = RowOf<'collaborators', typeof columns> & {
  status: 'pending' | 'active' | 'expired';
  user_name: string | null;
  user_email: string | null;
  user_username: string | null;
  user_avatar_url: string | null;
};

/** The current status. An invitation expires by time alone, without any change to its row. */
export const currentStatus = sql`
  case when c.status = 'pending' and c.expires_at <= clock_timestamp() then 'expired' else c.status end`;

function select(db: Queries, condition: RawBuilder<unknown>): Promise<CollaboratorRow[]> {
  return allRows<CollaboratorRow>(db)`
    select ${sql.raw(selectList('c', columns))}, ${currentStatus} as status,
      u.name as user_name, u.email as user_email, u.username as user_username, u.avatar_url as user_avatar_url
    from collaborators c left join users u on u.id = c.user_id
    where ${condition}
    order by c.id`;
}

export function listCollaborators(db: Queries, projectId: string): Promise<CollaboratorRow[]> {
  return select(db, sql`c.project_id = ${projectId}`);
}

export async function findCollaborator(
  db: Queries,
  projectId: string,
  id: string,
): Promise<CollaboratorRow | undefined> {
  return (await select(db, sql`c.project_id = ${projectId} and c.id = ${id}`))[0];
}

export async function findByToken(db: Queries, digest: Buffer): Promise<CollaboratorRow | undefined> {
  return (await select(db, sql`c.token_digest = ${digest}`))[0];
}

/** Finds a person by account and by address, because they may have been invited before the account existed. */
export function findPerson(
  db: Queries,
  projectId: string,
  { userId, email }: { userId: string | null; email: string | null },
): Promise<CollaboratorRow[]> {
  const isThem = sql`(c.user_id = ${userId} or (c.user_id is null and c.email = ${email}))`;
  return select(db, sql`c.project_id = ${projectId} and ${isThem}`);
}

/** Whether a collaborator can read the project without managing it. */
export async function hasPlainReaders(db: Queries, projectId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from collaborators where project_id = ${projectId} and status = 'active' and not 'manage' = any(permissions)
    ) as found`.execute(db);
  return rows[0]?.found ?? false;
}

export function listMemberships(db: Queries, userId: string): Promise<{ id: string; project_id: string }[]> {
  return db
    .selectFrom('collaborators')
    .select(['id', 'project_id'])
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .execute();
}

export type NewInvitation = Pick<
  CollaboratorRow,
  'id' | 'project_id' | 'user_id' | 'email' | 'role' | 'permissions' | 'message'
> & { invited_by: string };

export type Validity = { digest: Buffer; days: number };

const inDays = (days: number) => sql<Date>`clock_timestamp() + make_interval(days => ${days})`;

export async function insertInvitation(trx: Trx, invitation: NewInvitation, { digest, days }: Validity): Promise<void> {
  await trx
    .insertInto('collaborators')
    .values({ ...invitation, status: 'pending', token_digest: digest, expires_at: inDays(days) })
    .execute();
}

/** Gives an invitation a new link. The old link stops working. */
export async function renewInvitation(trx: Trx, id: string, { digest, days }: Validity): Promise<void> {
  await trx
    .updateTable('collaborators')
    .set({ token_digest: digest, expires_at: inDays(days) })
    .where('id', '=', id)
    .execute();
}

type Member = { id: string; email: string };

export async function activate(trx: Trx, id: string, account: Member): Promise<void> {
  await trx
    .updateTable('collaborators')
    .set({
      user_id: account.id,
      email: account.email,
      status: 'active',
      joined_at: sql<Date>`clock_timestamp()`,
      expires_at: null,
      token_digest: null,
    })
    .where('id', '=', id)
    .execute();
}

export async function insertMember(
  trx: Trx,
  member: { id: string; project_id: string; user_id: string; email: string; role: Role; permissions: Permission[] },
): Promise<void> {
  await trx
    .insertInto('collaborators')
    .values({ ...member, status: 'active', joined_at: sql<Date>`clock_timestamp()` })
    .execute();
}

export async function changeRights(
  trx: Trx,
  id: string,
  rights: { role: Role; permissions: Permission[] },
): Promise<void> {
  await trx.updateTable('collaborators').set(rights).where('id', '=', id).execute();
}

export async function deleteCollaborator(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('collaborators').where('id', '=', id).execute();
}

/** Deletes invitations that expired long ago. Others stay in the list for a while, so that they can be sent again. */
export async function deleteLongExpired(db: Db): Promise<void> {
  const longExpired = sql`gone.expires_at < now() - interval '30 days'`;
  await cleanRows(db, {
    table: 'collaborators',
    by: 'expires_at',
    where: sql`gone.status = 'pending' and ${longExpired}`,
  });
  await cleanRows(db, { table: 'project_transfers', by: 'project_id', where: longExpired });
}
