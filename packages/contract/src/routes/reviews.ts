import { Commit } from '../files.ts';
import {
  ApplySuggestions,
  ChangeReviewComment,
  ChangeThread,
  CreateReply,
  CreateThread,
  MarkViewed,
  Review,
  ReviewComment,
  ReviewList,
  ReviewThread,
  ReviewThreadList,
  SubmitReview,
  ViewedFiles,
} from '../reviews.ts';
import { defineRoutes, noContent } from './route.ts';

const one = '/projects/{project_id}/merge-requests/{number}';

export const reviewRoutes = defineRoutes('Merge requests', {
  listReviewThreads: {
    address: `GET ${one}/threads`,
    access: 'read:files',
    summary: 'List the threads of a merge request, with the place of each in the newest version',
    responses: { 200: ReviewThreadList },
  },
  createReviewThread: {
    address: `POST ${one}/threads`,
    access: 'write:files',
    summary: 'Begin a thread about lines, a file or the whole request',
    description:
      'Members who can comment can call this route. With `draft`, only you see it until you submit a review.',
    body: CreateThread,
    responses: { 201: ReviewThread },
  },
  changeReviewThread: {
    address: `PATCH ${one}/threads/{thread_id}`,
    access: 'write:files',
    summary: 'Resolve a thread, or open it again',
    body: ChangeThread,
    responses: { 200: ReviewThread },
  },
  createReviewReply: {
    address: `POST ${one}/threads/{thread_id}/comments`,
    access: 'write:files',
    summary: 'Reply in a thread',
    body: CreateReply,
    responses: { 201: ReviewComment },
  },
  changeReviewComment: {
    address: `PATCH ${one}/comments/{review_comment_id}`,
    access: 'write:files',
    summary: 'Change your own comment',
    body: ChangeReviewComment,
    responses: { 200: ReviewComment },
  },
  deleteReviewComment: {
    address: `DELETE ${one}/comments/{review_comment_id}`,
    access: 'write:files',
    summary: 'Delete a comment',
    description:
      'Its author, and members with the permission `manage`, can call this route. A thread goes with its last comment.',
    responses: { 204: noContent },
  },
  listReviews: {
    address: `GET ${one}/reviews`,
    access: 'read:files',
    summary: 'List the reviews of a merge request, oldest first',
    responses: { 200: ReviewList },
  },
  submitReview: {
    address: `POST ${one}/reviews`,
    access: 'write:files',
    summary: 'Submit a review, with everything that you kept as drafts',
    description: 'Members who can comment can call this route. Authors cannot send `APPROVE` for their own requests.',
    body: SubmitReview,
    responses: { 201: Review },
  },
  applySuggestions: {
    address: `POST ${one}/suggestions/apply`,
    access: 'write:files',
    summary: 'Apply suggestions as one commit on the source',
    body: ApplySuggestions,
    responses: { 201: Commit },
  },
  listViewedFiles: {
    address: `GET ${one}/viewed`,
    access: 'read:files',
    summary: 'List the files that you marked as viewed',
    responses: { 200: ViewedFiles },
  },
  markViewedFiles: {
    address: `PUT ${one}/viewed`,
    access: 'write:files',
    summary: 'Mark files as viewed, or no longer',
    description:
      'Everyone who can read the project can call this route. A mark of `viewed` ends when the file changes in a later version.',
    body: MarkViewed,
    responses: { 200: ViewedFiles },
  },
});
