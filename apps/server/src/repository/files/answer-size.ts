import { type Budget, createBudget } from '../../foundation/concurrency/budget.ts';

/** Of a list as JSON, which is put together and written out in one piece. */
export const largestAnswer = 16 * 1_048_576;

/** What a row takes beside its path: name, id, times, type and checksum. */
export const bytesBesidePath = 400;

export const answerBudget = (): Budget =>
  createBudget({
    name: 'list of files',
    bytes: largestAnswer,
    message: 'There are too many files for one response; use `limit` to get pages, or list one directory at a time',
  });

/** As JSON has it: a name that came by git may be of characters that are written out as six. */
export const bytesOfRow = (path: string): number => bytesBesidePath + Buffer.byteLength(JSON.stringify(path));
