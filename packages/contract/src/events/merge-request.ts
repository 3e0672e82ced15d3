import { Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import { eventFamily } from './family.ts';
import { ada, exactly, exampleSha, inExampleProject, inProject, orNull, text } from './fields.ts';

const fields = {
  ...inProject,
  number: Type.Integer(),
  title: text,
  state: text,
  draft: Type.Boolean(),
  source: text,
  target: text,
  version: Type.Integer(),
  author: orNull(exactly({ id: text, name: text })),
  head_sha: text,
  merge_sha: orNull(text),
  url: text,
  updated_at: Timestamp,
};
const data = exactly(fields);
const example = {
  ...inExampleProject,
  number: 7,
  title: 'Say hello in French',
  state: 'open',
  draft: false,
  source: 'feature',
  target: 'main',
  version: 1,
  author: { id: 'usr_01jd2m6vz8e3r9x5k7q4w1t0ab', name: ada.name },
  head_sha: exampleSha,
  merge_sha: null,
  url: 'https://bottega.example.com/projects/prj_01jd2m6vz8e3r9x5k7q4w1t0ab/merge-requests/7',
  updated_at: '2026-01-02T03:04:05.000Z',
};
const only = (name: string) => ({ reference: name, core: null, guide: null });

export const mergeRequestEvents = eventFamily(
  { scope: 'read:files', subject: 'merge_request', fieldNames: {} },
  {
    'merge_request.opened': {
      description: 'A merge request was opened or reopened',
      names: only('merge_request.opened'),
      data,
      example,
    },
    'merge_request.updated': {
      description: 'A merge request has a new version, or its title, description, target or people changed',
      names: only('merge_request.updated'),
      data,
      example: { ...example, version: 2 },
    },
    'merge_request.merged': {
      description: 'A merge request was merged',
      names: only('merge_request.merged'),
      data,
      example: { ...example, state: 'merged', merge_sha: exampleSha },
    },
    'merge_request.closed': {
      description: 'A merge request was closed without being merged',
      names: only('merge_request.closed'),
      data,
      example: { ...example, state: 'closed' },
    },
    'merge_request.queued': {
      description: 'A merge request was put into the queue of its target',
      names: only('merge_request.queued'),
      data,
      example,
    },
    'merge_request.dequeued': {
      description: 'A merge request left the queue without being merged',
      names: only('merge_request.dequeued'),
      data: exactly({ ...fields, reason: text }),
      example: { ...example, reason: 'The check test failed' },
    },
  },
);

export const reviewEventFamily = eventFamily(
  { scope: 'read:files', subject: 'review', fieldNames: { review_id: 'id' } },
  {
    'review.submitted': {
      description: 'Somebody reviewed a merge request',
      names: only('review.submitted'),
      data: exactly({
        ...inProject,
        review_id: text,
        number: Type.Integer(),
        title: text,
        event: text,
        body: text,
        version: Type.Integer(),
        author: orNull(exactly({ id: text, name: text })),
        url: text,
        submitted_at: Timestamp,
      }),
      example: {
        ...inExampleProject,
        review_id: 'mrr_01jd2m6vz8e3r9x5k7q4w1t0ab',
        number: 7,
        title: example.title,
        event: 'APPROVE',
        body: 'Très bien',
        version: 1,
        author: example.author,
        url: example.url,
        submitted_at: '2026-01-02T03:04:05.000Z',
      },
    },
    'review.commented': {
      description:
        'Somebody commented on a merge request, changed or deleted a comment, or resolved or reopened a thread',
      names: only('review.commented'),
      data: exactly({
        ...inProject,
        number: Type.Integer(),
        title: text,
        action: Type.Enum(['created', 'edited', 'deleted', 'resolved', 'reopened']),
        thread_id: text,
        comment_id: Type.Union([text, Type.Null()], { description: 'null if the thread was resolved or reopened' }),
        path: Type.Union([text, Type.Null()], { description: 'null if the thread is about the whole request' }),
        line: Type.Union([Type.Integer(), Type.Null()], { description: 'null if the thread is not about lines' }),
        body: Type.Union([text, Type.Null()], { description: 'null unless the comment was created or edited' }),
        author: orNull(exactly({ id: text, name: text })),
        url: text,
        commented_at: Timestamp,
      }),
      example: {
        ...inExampleProject,
        number: 7,
        title: example.title,
        action: 'created' as const,
        thread_id: 'mrt_01jd2m6vz8e3r9x5k7q4w1t0ab',
        comment_id: 'mrc_01jd2m6vz8e3r9x5k7q4w1t0ab',
        path: '/greeting.txt',
        line: 1,
        body: 'Is this a narrow space?',
        author: example.author,
        url: `${example.url}?thread=mrt_01jd2m6vz8e3r9x5k7q4w1t0ab`,
        commented_at: '2026-01-02T03:04:05.000Z',
      },
    },
  },
);
