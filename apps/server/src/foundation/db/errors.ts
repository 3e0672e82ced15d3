const diskFull = '53100';
/**
 * SQLSTATEs that mean that the database is unavailable, so the same request may succeed in a moment. They include a
 * full disk, which an operator has to fix, and a read-only server (25006), as after a failover to the wrong server.
 */
const awaySqlStates = /^(08...|3D000|57P0[1-5]|53100|53300|53400|55P03|25006|25P03|57014|40P01|40001)$/;
const awaySystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** node-postgres gives these errors no code, so they are recognized by their messages. */
const awayMessages =
  /^(Connection terminated|timeout (expired|exceeded)|Query read timeout|Client has encountered a connection error|Client was closed)/;

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code === 'string' && awaySqlStates.test(code)) return true;
  if (typeof code === 'string' && awaySystemCodes.has(code)) return syscall !== 'open' && syscall !== 'stat';
  return awayMessages.test(error.message);
}

export const isDiskFull = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === diskFull;

/**
 * Whether a statement failed because a text contains U+0000, which PostgreSQL cannot store: SQLSTATE 22021 or, within
 * JSON, 22P05.
 */
export const isUnstorableText = (error: unknown): boolean =>
  ['22021', '22P05'].includes(String((error as { code?: unknown }).code));

/** Whether the error is SQLSTATE 23505 for the named constraint. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  const { code, constraint: violated } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && violated === constraint;
}

/**
 * Whether the server refused a statement although it is available. In this case, the whole transaction was rolled back.
 */
export function isRolledBack(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !isDatabaseAway(error);
}

/** Whether the error is SQLSTATE 23503: the referenced row does not exist. */
export const violatesForeignKey = (error: unknown): boolean => (error as { code?: unknown }).code === '23503';
