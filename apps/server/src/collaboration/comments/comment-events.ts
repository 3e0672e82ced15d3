import { appendEvent } from '../../events/index.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { type CommentRow, findAround } from './comments.sql.ts';

type Change = { projectId: string; row: CommentRow; userId: string };

/** Appends the event of a new comment, in the transaction of the change. */
export async function tellCreated(trx: Trx, change: Change, cause: Cause): Promise<void> {
  const { about, data } = await describe(trx, change);
  await appendEvent(trx, { ...about, type: 'comment.created', data }, cause);
}

export async function tellUpdated(trx: Trx, change: Change, cause: Cause): Promise<void> {
  const { about, data, by } = await describe(trx, change);
  const updated = { updated_at: change.row.updated_at.toISOString(), updated_by: by };
  await appendEvent(trx, { ...about, type: 'comment.updated', data: { ...data, ...updated } }, cause);
}

export async function tellDeleted(trx: Trx, change: Change, cause: Cause): Promise<void> {
  const { about, data, by } = await describe(trx, change);
  const deleted = { deleted_at: new Date().toISOString(), deleted_by: by };
  await appendEvent(trx, { ...about, type: 'comment.deleted', data: { ...data, ...deleted } }, cause);
}

async function describe(trx: Trx, { projectId, row, userId }: Change) {
  const { owner_id, project_name, people } = await findAround(trx, projectId, [row.author_id, userId]);
  const personOf = (id: string) => {
    const person = people.find((one) => one.id === id);
    return person ? { name: person.name, email: person.email, username: person.username } : null;
  };
  return {
    about: { accountId: owner_id, projectId },
    by: personOf(userId),
    data: {
      comment_id: row.id,
      project_id: projectId,
      project_name,
      session_id: row.session_id,
      parent_id: row.parent_id,
      file_path: row.file_path,
      line: row.line,
      comment_type: row.type,
      content: row.content,
      resolved: row.resolved_at !== null,
      author: personOf(row.author_id),
      created_at: row.created_at.toISOString(),
    },
  };
}
