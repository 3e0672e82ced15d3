import { Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import { eventFamily } from './family.ts';
import {
  Author,
  ada,
  exactly,
  exampleProjectUrl,
  exampleSha,
  grace,
  inExampleProject,
  inProject,
  text,
} from './fields.ts';

const identity = { file_id: text, ...inProject, file_path: text, file_name: text };
const version = {
  ...identity,
  file_type: Type.String({ description: 'MIME type' }),
  size: Type.Integer({ description: 'Bytes' }),
};
const lines = { lines_added: Type.Integer(), lines_removed: Type.Integer(), lines_modified: Type.Integer() };
const ofCommit = Type.Union([text, Type.Null()], { description: 'null if version control is off' });
const rest = {
  commit_sha: ofCommit,
  branch: ofCommit,
  diff_url: ofCommit,
  previous_path: Type.Optional(Type.String({ description: 'The path before the file was moved' })),
};
const coming = exactly({
  ...version,
  updated_by: Author,
  changes: Type.Union([exactly(lines), Type.Null()], { description: 'null if the change was too large to count' }),
  ...rest,
});
const change = exactly({
  ...version,
  updated_by: Author,
  changes: Type.Object(lines, {
    additionalProperties: false,
    description: 'All values are 0 if the file was only moved, or if a push changed more than 256 MiB',
  }),
  ...rest,
});

const exampleIdentity = {
  file_id: 'fil_01jd2m6vz8e3r9x5k7q4w1t0ab',
  ...inExampleProject,
  file_path: '/src/main.ts',
  file_name: 'main.ts',
};
const exampleVersion = { ...exampleIdentity, file_type: 'text/typescript', size: 1204 };
const exampleChange = (lines_added: number, lines_removed: number, lines_modified: number) => ({
  ...exampleVersion,
  updated_by: ada,
  changes: { lines_added, lines_removed, lines_modified },
  commit_sha: exampleSha,
  branch: 'main',
  diff_url: `${exampleProjectUrl}/commits/${exampleSha}`,
});

export const fileEvents = eventFamily(
  {
    scope: 'read:files',
    subject: 'file',
    fieldNames: { file_id: 'id', file_path: 'path', file_name: 'name', file_type: 'type' },
  },
  {
    'file.created': {
      description: 'A file was created through the API, a push or a live session',
      names: { reference: 'file.created', core: 'file.created', guide: 'file.uploaded' },
      data: coming,
      example: exampleChange(40, 0, 0),
    },
    'file.updated': {
      description: 'A file was changed or moved',
      names: { reference: 'file.updated', core: 'file.updated', guide: 'file.uploaded' },
      data: change,
      example: exampleChange(12, 0, 3),
    },
    'file.deleted': {
      description: 'A file was deleted',
      names: { reference: 'file.deleted', core: 'file.deleted', guide: 'file.deleted' },
      data: coming,
      example: exampleChange(0, 52, 0),
    },
    'file.downloaded': {
      description: "A file's content was downloaded",
      names: { reference: null, core: null, guide: 'file.downloaded' },
      data: exactly({
        ...version,
        downloaded_by: Type.Union([Author, Type.Null()], { description: 'null if a share link was used' }),
      }),
      example: { ...exampleVersion, downloaded_by: grace },
    },
    'file.shared': {
      description: 'A share link for a file was created',
      names: { reference: null, core: null, guide: 'file.shared' },
      data: exactly({ ...identity, shared_by: Author, expires_at: Timestamp }),
      example: { ...exampleIdentity, shared_by: ada, expires_at: '2026-01-03T04:04:05.000Z' },
    },
  },
);
