import type { ProjectComment, SessionComment } from '@bottega/contract';
import { avatarUrl } from '../../identity/users/index.ts';
import { isMain } from '../../repository/objects/ref-names.ts';
import type { Place } from './comment-places.ts';
import type { CommentRow } from './comments.sql.ts';

/** A comment that was made in a session. */
export const asComment = (row: CommentRow, place: Place): SessionComment => ({
  ...fieldsOf(row, place),
  session_id: row.session_id ?? '',
  author: authorOf(row),
});

export const asProjectComment = (row: CommentRow, place: Place, publicUrl: string): ProjectComment => ({
  ...fieldsOf(row, place),
  session_id: row.session_id,
  author: {
    ...authorOf(row),
    avatar_url: avatarUrl({ id: row.author_id, avatar_url: row.author_avatar_url }, publicUrl),
  },
});

const authorOf = (row: CommentRow) => ({
  user_id: row.author_id,
  username: row.author_username,
  name: row.author_name,
});

function fieldsOf(row: CommentRow, { position, end, orphaned }: Place) {
  return {
    id: row.id,
    parent_id: row.parent_id,
    file_path: row.file_path,
    position,
    end,
    quoted_text: row.quoted_text,
    orphaned,
    content: row.content,
    type: row.type,
    suggestion: row.suggestion,
    resolved: row.resolved_at !== null,
    resolved_by: row.resolved_by,
    applied_at: row.applied_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ...(!isMain(row) && { branch: row.branch }),
  };
}
