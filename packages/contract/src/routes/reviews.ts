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
    summary: 'List the threads of a merge request, with the place of each thread in the newest version',
    responses: { 200: ReviewThreadList },
  },
  createReviewThread: {
    address: `POST ${one}/threads`,
    access: 'write:files',
    summary: 'Start a thread about lines, a file or the whole merge request',
    description:
      'Members who can comment can call this route. With `draft`, only you see the comment until you submit a review.',
    body: CreateThread,
    responses: { 201: ReviewThread },
  },
  changeReviewThread: {
    address: `PATCH ${one}/threads/{thread_id}`,
    access: 'write:files',
    summary: 'Resolve or reopen a thread',
    body: ChangeThread,
    responses: { 200: ReviewThread },
  },
  createReviewReply: {
    address: `POST ${one}/threads/{thread_id}/comments`,
    access: 'write:files',
    summary: 'Reply to a thread',
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
      'The author of the comment and members with the permission `manage` can call this route. When the last comment of a thread is deleted, the thread is deleted too.',
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
    summary: 'Submit a review together with your draft comments',
    description:
      'Members who can comment can call this route. Authors cannot send `APPROVE` for their own merge requests.',
    body: SubmitReview,
    responses: { 201: Review },
  },
  applySuggestions: {
    address: `POST ${one}/suggestions/apply`,
    access: 'write:files',
    summary: 'Apply suggestions in one commit on the source',
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
    summary: 'Mark files as viewed or not viewed',
    description:
      'Everyone who can read the project can call this route. A file is no longer `viewed` when a later version changes it.',
    body: MarkViewed,
    responses: { 200: ViewedFiles },
  },
});
