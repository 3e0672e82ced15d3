import { Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import { commentTypes } from '../session-comments.ts';
import { eventFamily } from './family.ts';
import { Author, ada, exactly, grace, inExampleProject, inProject, orNull, text } from './fields.ts';

const comment = {
  comment_id: text,
  ...inProject,
  session_id: Type.Union([text, Type.Null()], {
    description: 'null if the comment was created without a live session',
  }),
  parent_id: Type.Union([text, Type.Null()], { description: 'The comment to which this comment replies' }),
  file_path: text,
  line: Type.Integer(),
  comment_type: Type.Enum(commentTypes),
  content: text,
  resolved: Type.Boolean(),
  author: orNull(Author),
  created_at: Timestamp,
};
const example = {
  comment_id: 'cmt_01jd2m6vz8e3r9x5k7q4w1t0ab',
  ...inExampleProject,
  session_id: null,
  parent_id: null,
  file_path: '/src/engine.ts',
  line: 12,
  comment_type: 'question' as const,
  content: 'Does this carry over, @ada?',
  resolved: false,
  author: grace,
  created_at: '2026-01-03T03:04:05.678Z',
};

/** Comments belong to files, so these events occur with and without a live session. */
export const commentEvents = eventFamily(
  {
    scope: 'read:collaboration',
    subject: 'comment',
    fieldNames: { comment_id: 'id', comment_type: 'type' },
  },
  {
    'comment.created': {
      description: 'Somebody commented on a file',
      names: { reference: 'comment.created', core: null, guide: null },
      data: exactly(comment),
      example,
    },
    'comment.updated': {
      description: 'A comment was changed, resolved or reopened, or its suggestion was applied',
      names: { reference: 'comment.updated', core: null, guide: null },
      data: exactly({ ...comment, updated_at: Timestamp, updated_by: orNull(Author) }),
      example: { ...example, resolved: true, updated_at: '2026-01-03T04:04:05.678Z', updated_by: ada },
    },
    'comment.deleted': {
      description: 'A comment was deleted with its replies',
      names: { reference: 'comment.deleted', core: null, guide: null },
      data: exactly({ ...comment, deleted_at: Timestamp, deleted_by: orNull(Author) }),
      example: { ...example, deleted_at: '2026-01-03T05:04:05.678Z', deleted_by: grace },
    },
  },
);
