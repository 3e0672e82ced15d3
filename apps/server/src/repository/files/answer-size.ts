import { type Budget, createBudget } from '../../foundation/concurrency/budget.ts';

/** Maximum size of a list as JSON, in bytes. The list is built and sent in one piece. */
export const largestAnswer = 16 * 1_048_576;

/** Bytes of a row besides its path: name, id, times, type and checksum. */
export const rowOverheadBytes = 400;

export const answerBudget = (): Budget =>
  createBudget({
    name: 'list of files',
    bytes: largestAnswer,
    message: 'There are too many files for one response; use `limit` to get pages, or list one directory at a time',
  });

/**
 * The size of a row as JSON. Names that git pushed may contain characters that take six bytes when they are escaped.
 */
export const bytesOfRow = (path: string): number => rowOverheadBytes + Buffer.byteLength(JSON.stringify(path));
