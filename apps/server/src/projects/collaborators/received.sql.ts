import { type RawBuilder, sql } from 'kysely';
import { allRows, type Queries, type RowWithout } from '../../foundation/db/index.ts';
import { currentStatus } from './collaborators.sql.ts';

/** An invitation as shown to its recipient, who does not see the project yet. */
export type ReceivedRow = RowWithout<'collaborators', 'status' | 'token_digest' | 'invited_by' | 'joined_at'> & {
  status: 'pending' | 'expired';
  project_name: string;
  inviter_id: string | null;
  inviter_name: string | null;
  inviter_email: string | null;
  inviter_avatar_url: string | null;
};

function select(db: Queries, condition: RawBuilder<unknown>): Promise<ReceivedRow[]> {
  return allRows<ReceivedRow>(db)`
    select c.id, c.user_id, c.email, c.role, c.permissions, ${currentStatus} as status, c.message, c.invited_at,
      c.expires_at, p.id as project_id, p.name as project_name,
      i.id as inviter_id, i.name as inviter_name, i.email as inviter_email, i.avatar_url as inviter_avatar_url
    from collaborators c
    join projects p on p.id = c.project_id
    left join users i on i.id = c.invited_by
    where c.status = 'pending' and p.deleted_at is null and ${condition}
    order by c.id desc`;
}

export type Recipient = { userId: string; address: string | null };

const isFor = ({ userId, address }: Recipient) =>
  sql`(c.user_id = ${userId} or (c.user_id is null and c.email = ${address}))`;

export function listReceived(db: Queries, recipient: Recipient): Promise<ReceivedRow[]> {
  return select(db, sql`${isFor(recipient)} and (c.expires_at is null or c.expires_at > clock_timestamp())`);
}

export async function findReceived(db: Queries, recipient: Recipient, id: string): Promise<ReceivedRow | undefined> {
  return (await select(db, sql`${isFor(recipient)} and c.id = ${id}`))[0];
}

export async function findReceivedByToken(db: Queries, digest: Buffer): Promise<ReceivedRow | undefined> {
  return (await select(db, sql`c.token_digest = ${digest}`))[0];
}
