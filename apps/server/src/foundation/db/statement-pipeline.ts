import { sql } from 'kysely';
import type pg from 'pg';
import { isTraced, span } from '../tracing/span.ts';
import { streamOf } from './client-stream.ts';
import { statementSpan } from './statement-span.ts';

/**
 * Marks a statement whose result nobody reads. In a transaction, such a statement is sent together with the next
 * statement or with the commit.
 */
export const withNextText = '/* with the next */';
export const withNext = sql.raw(withNextText);

export type Statement = { name?: string; text: string; values: unknown[]; query_timeout?: number };
type Result = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>;

/**
 * Maximum number of bytes of delayed statements. A push stores hundreds of megabytes in statements whose results nobody
 * reads, which must not all be held in memory.
 */
const maxHeldBytes = 512 * 1024;

const begins = /^(?:begin|start transaction)\b/;
const notYet: Result = { command: '', rowCount: 0, rows: [] };

/**
 * Reduces the round trips of a transaction to one for each statement whose answer is needed. `BEGIN` and statements
 * that nobody waits for are sent with the next statement, in order. If a statement fails, those after it fail too,
 * because the server refuses the rest of the transaction and treats its commit as a rollback. The first error is
 * reported.
 */
export function pipelineStatements(
  client: pg.PoolClient,
  forEachTransaction?: string,
): (statement: Statement) => Promise<Result> {
  let held: Statement[] = [];
  let heldBytes = 0;
  const take = (): Statement[] => {
    const taken = held;
    held = [];
    heldBytes = 0;
    return taken;
  };
  /**
   * Joins adjacent statements without values into one, because each separate statement has an answer that must be read.
   */
  const hold = (statement: Statement): void => {
    const last = held.at(-1);
    if (last && isPlain(last) && isPlain(statement)) held.splice(-1, 1, joined(last, statement));
    else held.push(statement);
  };
  return (statement) => {
    const { text } = statement;
    if (forEachTransaction !== undefined && begins.test(text)) {
      held.push({ ...statement, text: `${text}; ${forEachTransaction}` });
      return Promise.resolve(notYet);
    }
    if (text === 'rollback') {
      const isBegun = !take().some((one) => begins.test(one.text));
      return isBegun ? client.query(statement) : Promise.resolve({ ...notYet, command: 'ROLLBACK' });
    }
    if (begins.test(text) || text.includes(withNextText)) {
      heldBytes += bytesOf(statement);
      if (heldBytes > maxHeldBytes) return send(client, [...take(), statement]);
      hold(statement);
      return Promise.resolve(notYet);
    }
    return send(client, [...take(), statement]);
  };
}

const isPlain = ({ name, values }: Statement): boolean => name === undefined && values.length === 0;
const joined = (one: Statement, next: Statement): Statement => ({ ...one, text: `${one.text}; ${next.text}` });

const bytesOf = ({ values }: Statement): number =>
  values.reduce<number>((sum, value) => sum + (Buffer.isBuffer(value) ? value.length : 0), 0);

function send(client: pg.PoolClient, batch: [...Statement[], Statement]): Promise<Result> {
  const go = () => (batch.length === 1 ? client.query(batch[0]) : sendTogether(client, batch));
  return isTraced() ? span(statementSpan(...batch.map(({ text }) => text)), go) : go();
}

/** Sends all statements in one packet, and returns the answer to the last one. */
async function sendTogether(client: pg.PoolClient, batch: Statement[]): Promise<Result> {
  const stream = streamOf(client);
  stream.cork();
  const sent = batch.map((statement) => client.query(statement));
  stream.uncork();
  const outcomes = await Promise.allSettled(sent);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return (outcomes.at(-1) as PromiseFulfilledResult<Result>).value;
}
