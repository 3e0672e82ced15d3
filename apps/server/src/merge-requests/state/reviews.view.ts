import type { Review, ReviewComment, ReviewThread } from '@bottega/contract';
import type { ReviewRow } from './reviews.sql.ts';
import type { CommentRow, ThreadRow } from './threads.sql.ts';

/** Converts a time inside JSON, which has PostgreSQL's format. */
const iso = (time: string): string => new Date(time).toISOString();

export const commentView = ({ created_at, edited_at, ...row }: CommentRow): ReviewComment => ({
  ...row,
  created_at: iso(created_at),
  edited_at: edited_at === null ? null : iso(edited_at),
});

export const threadView = (row: ThreadRow): ReviewThread => ({
  id: row.id,
  path: row.place_path,
  side: row.side,
  start_line: row.place_start,
  line: row.place_line,
  outdated: row.outdated,
  origin: {
    version: row.version,
    path: row.path,
    side: row.side,
    start_line: row.start_line,
    line: row.line,
    text: row.text,
  },
  resolved: row.resolved_at !== null,
  resolved_by: row.resolved_by,
  resolved_at: row.resolved_at?.toISOString() ?? null,
  comments: row.comments.map(commentView),
  created_at: row.created_at.toISOString(),
});

export const reviewView = (row: ReviewRow, holds: boolean): Review => ({
  id: row.id,
  author: row.author,
  event: row.event,
  body: row.body,
  version: row.version,
  holds,
  submitted_at: row.submitted_at.toISOString(),
});
