import { maxMentioned, mentionsIn } from '@bottega/contract';
import { createPace } from '../../foundation/concurrency/pace.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { excerptOf, notifyMentioned } from '../../notifications/index.ts';
import { takingPart } from './comments.sql.ts';
import type { RequestRow } from './requests.sql.ts';

/** A text of a request: a comment, a review, or the description, which has no id of its own. */
export type Text = { id?: string; threadId?: string; body: string };

type Said = {
  authorId: string;
  text: Text;
  /** The mentioned names that are notified. */
  names: readonly string[];
  /** People who are notified of the same text for another reason. */
  except?: readonly (string | null)[];
};

/** Notifies members whom a text of a request mentions. Returns their ids. */
export function notifyOfMentions(
  trx: Trx,
  row: RequestRow,
  { authorId, text: { id, threadId, body }, names, except = [] }: Said,
  cause: Cause,
): Promise<string[]> {
  const { project_id: projectId, number, title } = row;
  const mentioning = { projectId, authorId, names, mentionedIn: id ?? `!${number}`, takingPart: takingPart(row) };
  const data = { number, title, ...(threadId !== undefined && { thread_id: threadId }), excerpt: excerptOf(body) };
  return notifyMentioned(trx, mentioning, { type: 'merge_request_mention', data, except }, cause);
}

/**
 * Notifies members of mentions in texts that appear at the same time. Everybody is notified only of the first text that
 * mentions them.
 */
export async function notifyOfManyMentions(
  trx: Trx,
  row: RequestRow,
  { texts, ...said }: Omit<Said, 'text' | 'names'> & { texts: readonly Text[] },
  cause: Cause,
): Promise<void> {
  const { maybeYield } = createPace();
  const known = new Set<string>();
  for (const text of texts) {
    await maybeYield();
    const names = mentionsIn(text.body).filter((name) => !known.has(name));
    for (const name of names) known.add(name);
    if (names.length > 0) await notifyOfMentions(trx, row, { ...said, text, names }, cause);
    if (known.size >= maxMentioned) return;
  }
}
