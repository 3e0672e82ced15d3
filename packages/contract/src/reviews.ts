import { type Static, Type } from 'typebox';
import { message, path } from './files.ts';
import { linesOfText, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';

/** Names that agents and tools know from GitHub. */
export const reviewEvents = ['APPROVE', 'REQUEST_CHANGES', 'COMMENT'] as const;
export type ReviewEvent = (typeof reviewEvents)[number];
export const diffSides = ['LEFT', 'RIGHT'] as const;
export type DiffSide = (typeof diffSides)[number];

const Author = Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()]);
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** For every text of a merge request. */
export const markdownWithMentions =
  'Markdown. Each `@username` notifies that member of the project; at most 20 members are notified';
const body = Type.String({
  minLength: 1,
  maxLength: 65_536,
  pattern: linesOfText,
  description: markdownWithMentions,
});
const lineNumber = Type.Integer({ minimum: 1, maximum: 10_000_000 });
/** The number of a version in a request. The database counts no further. */
export const versionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

export const ReviewComment = named('ReviewComment', {
  id: Type.String({ examples: ['mrc_01m7p9c8zke6f8r3t5v7x9y1b2'] }),
  author: Author,
  body: Type.String({
    description: 'Markdown. A code block named `suggestion` offers other lines for the lines of the thread',
  }),
  draft: Type.Boolean({ description: 'Whether only the author sees the comment, until they submit their next review' }),
  applied_sha: orNull(Type.String(), 'The commit that applied the suggestion of the comment'),
  created_at: Timestamp,
  edited_at: NullableTimestamp,
});
export type ReviewComment = Static<typeof ReviewComment>;

const place = {
  path: orNull(Type.String(), 'Null for a thread about the whole merge request'),
  side: orNull(Type.Enum(diffSides), '`RIGHT`: the file on the source. `LEFT`: the file at the merge base'),
  start_line: orNull(Type.Integer()),
  line: orNull(Type.Integer(), 'The last line; null for a thread about a file or about the whole request'),
};

export const ReviewThread = named('ReviewThread', {
  id: Type.String({ examples: ['mrt_01m7p9c8zke6f8r3t5v7x9y1b2'] }),
  ...place,
  outdated: Type.Boolean({ description: 'Whether the lines of the thread are no longer in the newest version' }),
  origin: Type.Object(
    { version: Type.Integer(), ...place, text: orNull(Type.String(), 'The lines at that time') },
    { description: 'Where and on which version the thread was started' },
  ),
  resolved: Type.Boolean(),
  resolved_by: Author,
  resolved_at: NullableTimestamp,
  comments: Type.Array(ReviewComment),
  created_at: Timestamp,
});
export type ReviewThread = Static<typeof ReviewThread>;
export const ReviewThreadList = Type.Object({
  data: Type.Array(ReviewThread),
  head_sha: Type.String({ description: 'The head of the newest version, to which the places of the threads refer' }),
});

const wantedPlace = {
  path: Type.Optional(Type.String({ ...path, description: 'Omit `path` for a thread about the whole merge request' })),
  side: Type.Optional(Type.Enum(diffSides, { default: 'RIGHT' })),
  start_line: Type.Optional(lineNumber),
  line: Type.Optional({ ...lineNumber, description: 'Omit `line` for a thread about the whole file' }),
};

export const CreateThread = strict({
  ...wantedPlace,
  version: Type.Optional({ ...versionNumber, description: 'The version that you looked at; default: the newest' }),
  body,
  draft: Type.Optional(
    Type.Boolean({ default: false, description: 'Keep the comment as a draft until you submit your next review' }),
  ),
});
export type CreateThread = Static<typeof CreateThread>;

export const ChangeThread = strict({ resolved: Type.Boolean() });
export type ChangeThread = Static<typeof ChangeThread>;

export const CreateReply = strict({ body, draft: Type.Optional(Type.Boolean({ default: false })) });
export type CreateReply = Static<typeof CreateReply>;

export const ChangeReviewComment = strict({ body });
export type ChangeReviewComment = Static<typeof ChangeReviewComment>;

export const Review = named('Review', {
  id: Type.String({ examples: ['mrr_01m7p9c8zke6f8r3t5v7x9y1b2'] }),
  author: Author,
  event: Type.Enum(reviewEvents),
  body: Type.String(),
  version: Type.Integer({ description: 'The version that was reviewed' }),
  holds: Type.Boolean({
    description:
      'Whether the review counts for the newest version: it must be the last review by its author, and the newest version must change the same lines in the same way',
  }),
  submitted_at: Timestamp,
});
export type Review = Static<typeof Review>;
export const ReviewList = Type.Object({ data: Type.Array(Review) });

export const SubmitReview = strict({
  event: Type.Enum(reviewEvents),
  body: Type.Optional(
    Type.String({ maxLength: 65_536, pattern: linesOfText, default: '', description: markdownWithMentions }),
  ),
  head_sha: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{40}$',
      description: 'The commit that you reviewed; 409 if there is a newer one',
    }),
  ),
  comments: Type.Optional(
    Type.Array(strict({ ...wantedPlace, body }), {
      maxItems: 100,
      description: 'Threads to start. Your draft comments are submitted too',
    }),
  ),
});
export type SubmitReview = Static<typeof SubmitReview>;

export const ApplySuggestions = strict({
  comments: Type.Array(Type.String({ maxLength: 64 }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'Ids of comments with suggestions. One commit on the source applies all of them',
  }),
  message: Type.Optional(message),
});
export type ApplySuggestions = Static<typeof ApplySuggestions>;

export const ViewedFiles = named('ViewedFiles', {
  paths: Type.Array(Type.String(), { description: 'Files that you marked as viewed and that have not changed since' }),
});
export type ViewedFiles = Static<typeof ViewedFiles>;

export const MarkViewed = strict({
  paths: Type.Array(Type.String({ ...path }), { minItems: 1, maxItems: 1_000 }),
  viewed: Type.Boolean(),
});
export type MarkViewed = Static<typeof MarkViewed>;
