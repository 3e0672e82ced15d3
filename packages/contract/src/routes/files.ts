import { Type } from 'typebox';
import { ErrorBody } from '../errors.ts';
import {
  ArchiveQuery,
  CreateShareLink,
  DeleteFileQuery,
  FileContentQuery,
  FileList,
  FileListQuery,
  MoveFile,
  RawFileQuery,
  SearchQuery,
  SearchResults,
  ShareLink,
  WriteFile,
  WrittenFile,
} from '../files.ts';
import { defineRoutes, noContent } from './route.ts';

const conditions = Type.Object({
  'if-match': Type.Optional(Type.String()),
  'if-none-match': Type.Optional(Type.String()),
});
const bytes = { content: { '*/*': { schema: {} } } };

export const fileRoutes = defineRoutes('Files', {
  listFiles: {
    address: 'GET /projects/{project_id}/files',
    access: 'read:files',
    summary: "List a project's files and directories",
    query: FileListQuery,
    responses: { 200: FileList, 409: ErrorBody, 422: ErrorBody },
  },
  readFileContent: {
    address: 'GET /projects/{project_id}/files/{file_id}/content',
    access: 'read:files',
    summary: "Read a file's stored content",
    description: 'Emits a `file.downloaded` event, unless a dashboard session reads the file without `download=true`.',
    query: FileContentQuery,
    responses: {
      200: { description: 'The content', ...bytes },
      206: { description: 'The requested byte range', ...bytes },
      304: Type.Null({ description: 'Not modified' }),
      409: ErrorBody,
      416: ErrorBody,
      422: ErrorBody,
    },
  },
  writeFile: {
    address: 'PUT /projects/{project_id}/files',
    access: 'write:files',
    summary: 'Create or update a file',
    description:
      'Send JSON with `path`, `content` and `encoding`, or send raw bytes with another content type and `?path=`.',
    query: RawFileQuery,
    body: { content: { 'application/json': { schema: WriteFile }, 'application/octet-stream': { schema: {} } } },
    headers: conditions,
    responses: { 200: WrittenFile, 201: WrittenFile, 412: ErrorBody },
  },
  deleteFile: {
    address: 'DELETE /projects/{project_id}/files/{file_id}',
    access: 'write:files',
    summary: 'Delete a file, or a directory with everything in it',
    query: DeleteFileQuery,
    headers: conditions,
    responses: { 204: noContent, 412: ErrorBody, 422: ErrorBody },
  },
  moveFile: {
    address: 'POST /projects/{project_id}/files/{file_id}/move',
    access: 'write:files',
    summary: 'Move or rename a file or directory and keep its id',
    body: MoveFile,
    headers: conditions,
    responses: { 200: WrittenFile, 412: ErrorBody },
  },
  searchFiles: {
    address: 'GET /projects/{project_id}/search',
    access: 'read:files',
    summary: "Search for text in a project's files",
    query: SearchQuery,
    responses: { 200: SearchResults, 422: ErrorBody },
  },
  shareFile: {
    address: 'POST /projects/{project_id}/files/{file_id}/share',
    access: 'write:files',
    summary: 'Create a link that anyone can use to read a file until the link expires',
    body: Type.Union([CreateShareLink, Type.Null()]),
    responses: { 201: ShareLink },
  },
  downloadArchive: {
    address: 'GET /projects/{project_id}/archive',
    access: 'read:files',
    summary: "Download all of a project's files as an archive",
    query: ArchiveQuery,
    responses: { 200: { description: 'The archive', ...bytes } },
  },
});
