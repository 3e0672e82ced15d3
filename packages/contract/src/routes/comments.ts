import {
  CommentQuery,
  CreateComment,
  ProjectComment,
  ProjectCommentList,
  ProjectCommentQuery,
  SessionComment,
  SessionCommentList,
  UpdateComment,
} from '../session-comments.ts';
import { defineRoutes, noContent } from './route.ts';

export const commentRoutes = defineRoutes('Collaboration', {
  createComment: {
    address: 'POST /collaboration/sessions/{session_id}/comments',
    access: 'write:collaboration',
    summary: 'Comment on a position in a file',
    body: CreateComment,
    responses: { 201: SessionComment },
  },
  listComments: {
    address: 'GET /collaboration/sessions/{session_id}/comments',
    access: 'read:collaboration',
    summary: 'List the comments in a session, oldest first',
    query: CommentQuery,
    responses: { 200: SessionCommentList },
  },
  readComment: {
    address: 'GET /collaboration/sessions/{session_id}/comments/{comment_id}',
    access: 'read:collaboration',
    summary: 'Read a comment',
    responses: { 200: SessionComment },
  },
  changeComment: {
    address: 'PATCH /collaboration/sessions/{session_id}/comments/{comment_id}',
    access: 'write:collaboration',
    summary: 'Change your own comment, or resolve any comment',
    body: UpdateComment,
    responses: { 200: SessionComment },
  },
  removeComment: {
    address: 'DELETE /collaboration/sessions/{session_id}/comments/{comment_id}',
    access: 'write:collaboration',
    summary: 'Delete a comment and its replies',
    responses: { 204: noContent },
  },
  applySuggestion: {
    address: 'POST /collaboration/sessions/{session_id}/comments/{comment_id}/apply',
    access: 'write:collaboration',
    summary: "Apply a comment's suggestion to the file",
    responses: { 200: SessionComment },
  },
});

/** Comments belong to files, so these routes need no session, and include comments from ended sessions. */
export const projectCommentRoutes = defineRoutes('Comments', {
  listProjectComments: {
    address: 'GET /projects/{project_id}/comments',
    access: 'read:collaboration',
    summary: "List the comments on a project's files, oldest first",
    query: ProjectCommentQuery,
    responses: { 200: ProjectCommentList },
  },
  createProjectComment: {
    address: 'POST /projects/{project_id}/comments',
    access: 'write:collaboration',
    summary: 'Comment on a position in a file',
    body: CreateComment,
    responses: { 201: ProjectComment },
  },
  readProjectComment: {
    address: 'GET /projects/{project_id}/comments/{comment_id}',
    access: 'read:collaboration',
    summary: 'Read a comment',
    responses: { 200: ProjectComment },
  },
  changeProjectComment: {
    address: 'PATCH /projects/{project_id}/comments/{comment_id}',
    access: 'write:collaboration',
    summary: 'Change your own comment, or resolve any comment',
    body: UpdateComment,
    responses: { 200: ProjectComment },
  },
  removeProjectComment: {
    address: 'DELETE /projects/{project_id}/comments/{comment_id}',
    access: 'write:collaboration',
    summary: 'Delete a comment and its replies',
    responses: { 204: noContent },
  },
});
