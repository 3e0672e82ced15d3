import type { SessionComment } from '@bottega/contract';
import type { Place } from './comment-places.ts';
import type { CommentRow } from './comments.sql.ts';

export function asComment(row: CommentRow, { position, end, orphaned }: Place): SessionComment {
  return {
    id: row.id,
    session_id: row.session_id,
    parent_id: row.parent_id,
    file_path: row.file_path,
    position,
    end,
    quoted_text: row.quoted_text,
    orphaned,
    content: row.content,
    type: row.type,
    suggestion: row.suggestion,
    author: { user_id: row.author_id, username: row.author_username },
    resolved: row.resolved_at !== null,
    resolved_by: row.resolved_by,
    applied_at: row.applied_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
