import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { notify } from '../../notifications/index.ts';
import { isMain } from '../../repository/objects/ref-names.ts';
import { authorsIn, type CommentRow, findMentioned } from './comments.sql.ts';

/** Matches usernames. A dot or a dash at the end belongs to the sentence. */
const mention = /(?<![\w@.-])@([a-z0-9](?:[a-z0-9._-]{0,37}[a-z0-9])?)/gi;
/** Maximum number of mentions in one comment that notify. Further ones are plain text. */
const maxMentioned = 20;
const longestExcerpt = 140;

export function mentionsIn(content: string): string[] {
  const names = Array.from(content.matchAll(mention), ([, name = '']) => name.toLowerCase());
  return [...new Set(names)].slice(0, maxMentioned);
}

/**
 * Notifies mentioned users who may read the project, and earlier authors in the thread. Nobody gets two notifications
 * for one comment.
 */
export async function notifyOfComment(trx: Trx, projectId: string, row: CommentRow, cause: Cause): Promise<void> {
  const excerpt = row.content.replace(/\s+/g, ' ').slice(0, longestExcerpt);
  const data = {
    comment_id: row.parent_id ?? row.id,
    file_path: row.file_path,
    line: row.line,
    excerpt,
    ...(!isMain(row) && { branch: row.branch }),
  };
  const about = { projectId, actorId: row.author_id, data };
  const mentioned = await findMentioned(trx, projectId, mentionsIn(row.content));
  await notify(trx, { ...about, type: 'mention', to: mentioned }, cause);
  if (row.parent_id === null) return;
  const others = (await authorsIn(trx, row.parent_id)).filter((id) => !mentioned.includes(id));
  await notify(trx, { ...about, type: 'comment', to: others }, cause);
}
