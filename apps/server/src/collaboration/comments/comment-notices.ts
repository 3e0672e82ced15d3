import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { notify } from '../../notifications/index.ts';
import { authorsIn, type CommentRow, findMentioned } from './comments.sql.ts';

/** As usernames are written; a dot or a dash at the end is that of the sentence. */
const mention = /(?<![\w@.-])@([a-z0-9](?:[a-z0-9._-]{0,37}[a-z0-9])?)/gi;
/** A comment names so many at most; the rest is text. */
const mostMentioned = 20;
const longestExcerpt = 140;

export function mentionsIn(content: string): string[] {
  const names = Array.from(content.matchAll(mention), ([, name = '']) => name.toLowerCase());
  return [...new Set(names)].slice(0, mostMentioned);
}

/** Whoever is named, if they may read the project, and whoever wrote in the thread before. Nobody is told twice of one. */
export async function notifyOfComment(trx: Trx, projectId: string, row: CommentRow, cause: Cause): Promise<void> {
  const excerpt = row.content.replace(/\s+/g, ' ').slice(0, longestExcerpt);
  const data = { comment_id: row.parent_id ?? row.id, file_path: row.file_path, line: row.line, excerpt };
  const about = { projectId, actorId: row.author_id, data };
  const mentioned = await findMentioned(trx, projectId, mentionsIn(row.content));
  await notify(trx, { ...about, type: 'mention', to: mentioned }, cause);
  if (row.parent_id === null) return;
  const others = (await authorsIn(trx, row.parent_id)).filter((id) => !mentioned.includes(id));
  await notify(trx, { ...about, type: 'comment', to: others }, cause);
}
