import { type Static, Type } from 'typebox';
import { branchName } from './files.ts';
import { defaulted, linesOfText, NullableTimestamp, named, PageInfo, strict, Timestamp } from './primitives.ts';

const place = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

/** Lines and columns count from 1, in UTF-16 units. */
export const TextPosition = Type.Object(
  { line: place, column: place },
  { additionalProperties: false, title: 'TextPosition' },
);
export type TextPosition = Static<typeof TextPosition>;

export const commentTypes = ['comment', 'suggestion', 'question', 'issue'] as const;
export type CommentType = (typeof commentTypes)[number];

const content = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: linesOfText,
  description: 'Each `@username` notifies that member of the project; at most 20 members are notified',
});
const suggestion = Type.String({ maxLength: 100_000, pattern: linesOfText });

export const CreateComment = strict({
  file_path: Type.String({ maxLength: 1024, format: 'file-path' }),
  position: TextPosition,
  end: Type.Optional(TextPosition),
  content,
  type: Type.Optional(Type.Enum(commentTypes, { default: 'comment' })),
  suggestion: Type.Optional(
    Type.String({
      ...suggestion,
      description: 'For a suggestion, the text that replaces the range from `position` to `end`',
    }),
  ),
  parent_id: Type.Optional(Type.String({ maxLength: 64, description: 'The comment that this comment replies to' })),
  branch: Type.Optional(
    Type.String({
      ...branchName,
      description: 'Default: the branch of the session or of the parent, otherwise `main`',
    }),
  ),
});
export type CreateComment = Static<typeof CreateComment>;

export const UpdateComment = strict({
  content: Type.Optional(content),
  suggestion: Type.Optional(suggestion),
  resolved: Type.Optional(Type.Boolean()),
});
export type UpdateComment = Static<typeof UpdateComment>;

export const SessionComment = named('SessionComment', {
  id: Type.String({ examples: ['cmt_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  session_id: Type.String(),
  parent_id: Type.Union([Type.String(), Type.Null()]),
  file_path: Type.String(),
  position: TextPosition,
  end: Type.Union([TextPosition, Type.Null()]),
  quoted_text: Type.String({ description: 'The text at the position when the comment was created' }),
  orphaned: Type.Boolean({
    description: 'Whether the commented text was deleted; `position` is then where the text was',
  }),
  content: Type.String(),
  type: Type.Enum(commentTypes),
  suggestion: Type.Union([Type.String(), Type.Null()]),
  author: Type.Object({ user_id: Type.String(), username: Type.String(), name: Type.String() }),
  resolved: Type.Boolean(),
  resolved_by: Type.Union([Type.String(), Type.Null()]),
  applied_at: NullableTimestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
  branch: Type.Optional(Type.String({ description: 'Absent if it is `main`' })),
});
export type SessionComment = Static<typeof SessionComment>;

/** A comment on a file, whether or not it was made in a session. */
export const ProjectComment = named('ProjectComment', {
  ...SessionComment.properties,
  session_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The session in which the comment was created, as long as the session is stored',
  }),
  author: Type.Object({
    ...SessionComment.properties.author.properties,
    avatar_url: Type.String({ format: 'uri' }),
  }),
});
export type ProjectComment = Static<typeof ProjectComment>;

export const ProjectCommentList = Type.Object({ data: Type.Array(ProjectComment), pagination: PageInfo });

export const ProjectCommentQuery = Type.Object({
  path: Type.Optional(Type.String({ maxLength: 1024, format: 'file-path', description: 'Only comments on this file' })),
  branch: Type.Optional(Type.String({ ...branchName, description: 'Only comments on this branch; default: `main`' })),
  resolved: Type.Optional(Type.Boolean({ description: 'true: only resolved threads; false: only open ones' })),
  page: defaulted(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
});
export type ProjectCommentQuery = Static<typeof ProjectCommentQuery>;

export const SessionCommentList = Type.Object({ comments: Type.Array(SessionComment), total: Type.Integer() });

export const CommentQuery = Type.Object({
  file_path: Type.Optional(Type.String({ maxLength: 1024, format: 'file-path' })),
  type: Type.Optional(Type.Enum(commentTypes)),
});
