import { mentionsIn, newMentionsIn } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { excerptOf, notify, notifyMentioned } from '../../notifications/index.ts';
import { isMain } from '../../repository/objects/ref-names.ts';
import { authorsIn, type CommentRow, takingPart } from './comments.sql.ts';

/** Notifies mentioned members, and earlier authors in the thread. Nobody gets two notifications for one comment. */
export async function notifyOfComment(trx: Trx, projectId: string, row: CommentRow, cause: Cause): Promise<void> {
  const mentioned = await notifyOfMentions(trx, projectId, row, mentionsIn(row.content), cause);
  if (row.parent_id === null) return;
  const to = (await authorsIn(trx, row.parent_id)).filter((id) => !mentioned.includes(id));
  await notify(trx, { type: 'comment', to, projectId, actorId: row.author_id, data: dataOf(row) }, cause);
}

/** Notifies members whom an edit mentions for the first time. */
export async function notifyOfEdit(
  trx: Trx,
  projectId: string,
  { row, before }: { row: CommentRow; before: string },
  cause: Cause,
): Promise<void> {
  await notifyOfMentions(trx, projectId, row, newMentionsIn(row.content, before), cause);
}

function notifyOfMentions(trx: Trx, projectId: string, row: CommentRow, names: readonly string[], cause: Cause) {
  const mentioning = { projectId, authorId: row.author_id, names, mentionedIn: row.id, takingPart: takingPart(row) };
  return notifyMentioned(trx, mentioning, { type: 'mention', data: dataOf(row) }, cause);
}

const dataOf = (row: CommentRow) => ({
  comment_id: row.parent_id ?? row.id,
  file_path: row.file_path,
  line: row.line,
  excerpt: excerptOf(row.content),
  ...(!isMain(row) && { branch: row.branch }),
});
