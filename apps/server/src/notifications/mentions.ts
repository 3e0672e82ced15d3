import type { NotificationData } from '@bottega/contract';
import type { Trx } from '../foundation/db/index.ts';
import type { Cause } from '../foundation/http/index.ts';
import { findMentioned, type Mentioning } from './mentions.sql.ts';
import { notify } from './notify.ts';

type MentionNotice = {
  [Type in 'mention' | 'merge_request_mention']: { type: Type; data: Omit<NotificationData[Type], 'mentioned_in'> };
}['mention' | 'merge_request_mention'];

type Options = MentionNotice & {
  /** People who get another notification of the same text, and so none of the mention. */
  except?: readonly (string | null)[];
};

/**
 * Notifies the members of a project whom a text mentions: each of them once for each text, however often it is edited.
 * Returns their ids, so that nobody gets another notification for the same text.
 */
export async function notifyMentioned(
  trx: Trx,
  mentioning: Mentioning,
  { except = [], ...notice }: Options,
  cause: Cause,
): Promise<string[]> {
  if (mentioning.names.length === 0) return [];
  const { projectId, authorId: actorId, mentionedIn: mentioned_in } = mentioning;
  const mentioned = await findMentioned(trx, mentioning);
  const about = { to: mentioned.filter((id) => !except.includes(id)), projectId, actorId };
  if (notice.type === 'mention') {
    await notify(trx, { ...about, type: notice.type, data: { ...notice.data, mentioned_in } }, cause);
  } else await notify(trx, { ...about, type: notice.type, data: { ...notice.data, mentioned_in } }, cause);
  return mentioned;
}

const longestExcerpt = 140;

/** The beginning of a text, in one line. PostgreSQL does not store half of a surrogate pair in JSON. */
export const excerptOf = (text: string): string => text.replace(/\s+/g, ' ').slice(0, longestExcerpt).toWellFormed();
