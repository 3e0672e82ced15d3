import { isUtf8 } from 'node:buffer';
import { routes, WriteFile } from '@bottega/contract';
import { Type } from 'typebox';
import { createPace } from '../../foundation/concurrency/pace.ts';
import { AppError, conflict, invalid } from '../../foundation/http/index.ts';
import { findAll, replaceAt } from '../../foundation/text-search/find-text.ts';
import { idOfPath } from '../../repository/files/index.ts';
import type { Answer } from './api.ts';
import { asRefusal, hasFailed, jsonOf, type Result } from './results.ts';
import { asJson, branch, type Call, defineTool, projectId } from './tool.ts';

const { path, message, content, encoding } = WriteFile.properties;
const create_branch_from = Type.Optional(Type.String({ description: 'Where a missing `branch` starts' }));
const place = { project_id: projectId, path, branch };
const ifMatch = Type.Optional(
  Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: 'Write only if the file has this checksum' }),
);

const outcomeOf = (answer: Answer): Result => (hasFailed(answer) ? asRefusal(answer) : asJson(jsonOf(answer)));

const conditionOf = (checksum: string | undefined): Record<string, string> =>
  checksum === undefined ? {} : { 'if-match': `"${checksum}"` };

export const writeFile = defineTool({
  name: 'write_file',
  title: 'Write a file',
  description: 'Creates or replaces a file in one commit. To change part of a file, use edit_file.',
  route: routes.writeFile,
  hints: { destructive: true, idempotent: true },
  input: Type.Object({ ...place, create_branch_from, content, encoding, message, if_match: ifMatch }),
  async run({ api }, { project_id, if_match, ...body }) {
    return outcomeOf(await api(routes.writeFile, { params: { project_id }, body, headers: conditionOf(if_match) }));
  },
});

/**
 * Maximum number of attempts. If somebody else writes the file between our read and our write, the file is read again.
 */
const tries = 3;

export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit a file',
  description: 'Replaces text in a file in one commit. old_text must occur exactly once unless replace_all is true.',
  route: routes.writeFile,
  hints: { destructive: true },
  input: Type.Object({
    ...place,
    old_text: Type.String({ minLength: 1 }),
    new_text: Type.String(),
    replace_all: Type.Optional(Type.Boolean({ default: false })),
    message,
  }),
  async run(call, edit) {
    const params = { project_id: edit.project_id };
    for (let left = tries; ; left--) {
      const before = await readWhole(call, edit);
      if (hasFailed(before)) return asRefusal(before);
      const body = {
        path: edit.path,
        content: await edited(before.body, edit),
        ...(edit.message && { message: edit.message }),
        ...onBranch(edit),
      };
      const headers = { 'if-match': before.headers.etag ?? '*' };
      const answer = await call.api(routes.writeFile, { params, body, headers });
      if (answer.status !== 412 || left === 0) return outcomeOf(answer);
    }
  },
});

type Place = { project_id: string; path: string; branch?: string };

const onBranch = ({ branch: on }: Place) => (on === undefined ? {} : { branch: on });

async function readWhole({ api, db }: Call, place: Place): Promise<Answer> {
  const { project_id, path: at } = place;
  const params = { project_id, file_id: await idOfPath(db, project_id, at, place.branch) };
  return api(routes.readFileContent, { params, query: onBranch(place) });
}

type Edit = { old_text: string; new_text: string; replace_all?: boolean };

async function edited(
  bytes: Buffer,
  { old_text: old, new_text: wanted, replace_all: all = false }: Edit,
): Promise<string> {
  if (!isUtf8(bytes)) throw new AppError('VALIDATION_ERROR', 'The file is not UTF-8 text', { status: 422 });
  const text = bytes.toString('utf8');
  const positions = await findAll(text, old, { max: maxOccurrences + 1, maybeYield: createPace().maybeYield });
  const times = positions.length;
  if (times === 0) throw invalid('old_text', 'does not occur in the file');
  if (times > 1 && !all)
    throw conflict(`old_text occurs ${times} times in the file; include more lines to make it unique`);
  if (times > maxOccurrences) throw invalid('old_text', `occurs more than ${maxOccurrences} times in the file`);
  // Checked before the text is built, because replacing a short text many times with a long one could use up all
  // memory.
  const length = text.length + times * (wanted.length - old.length);
  if (length > maxLength) throw invalid('new_text', `would make the file longer than ${maxLength} characters`);
  return replaceAt(text, { positions, length: old.length, wanted });
}

const maxOccurrences = 10_000;
const maxLength = 10 * 1024 * 1024;

export const moveFile = defineTool({
  name: 'move_file',
  title: 'Move a file',
  description: 'Moves or renames a file or a directory in one commit.',
  route: routes.moveFile,
  hints: { destructive: false },
  input: Type.Object({ ...place, new_path: routes.moveFile.body.properties.path, message }),
  async run({ api, db }, move) {
    const { project_id, path: from, new_path: to, message: text } = move;
    const params = { project_id, file_id: await idOfPath(db, project_id, from, move.branch) };
    const body = { path: to, ...(text && { message: text }), ...onBranch(move) };
    return outcomeOf(await api(routes.moveFile, { params, body }));
  },
});

export const deleteFile = defineTool({
  name: 'delete_file',
  title: 'Delete a file',
  description: 'Deletes a file, or a directory and everything in it, in one commit.',
  route: routes.deleteFile,
  hints: { destructive: true, idempotent: true },
  input: Type.Object({ ...place, if_match: ifMatch }),
  async run({ api, db }, { if_match, ...deletion }) {
    const { project_id, path: at } = deletion;
    const params = { project_id, file_id: await idOfPath(db, project_id, at, deletion.branch) };
    const query = onBranch(deletion);
    return outcomeOf(await api(routes.deleteFile, { params, query, headers: conditionOf(if_match) }));
  },
});
