import { sql } from 'kysely';
import type pg from 'pg';
import { isTraced, span } from '../tracing/span.ts';
import { streamOf } from './client-stream.ts';
import { statementSpan } from './statement-span.ts';

/** Put into a statement of a transaction whose rows nobody reads: it goes out with the next one, at the latest the commit. */
export const withNextText = '/* with the next */';
export const withNext = sql.raw(withNextText);

export type Statement = { name?: string; text: string; values: unknown[]; query_timeout?: number };
type Result = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>;

/** A push stores hundreds of megabytes without a question in between: beyond this they do not wait for one. */
const mostHeldBytes = 512 * 1024;

const begins = /^(?:begin|start transaction)\b/;
const notYet: Result = { command: '', rowCount: 0, rows: [] };

/**
 * A transaction makes as many journeys to the server as it has questions to wait for: its begin goes out with the first
 * statement, and what nobody waits for with the one behind it, in order. Where one fails, so do those behind it, since the
 * server then refuses the rest of the transaction and takes its commit for a rollback; the first error is the one to tell.
 */
export function inFlights(
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
  /** Those without values go as one, as long as nothing is between them: each by itself has an answer to be read. */
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
      if (heldBytes > mostHeldBytes) return send(client, [...take(), statement]);
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

function send(client: pg.PoolClient, flight: [...Statement[], Statement]): Promise<Result> {
  const go = () => (flight.length === 1 ? client.query(flight[0]) : sendTogether(client, flight));
  return isTraced() ? span(statementSpan(...flight.map(({ text }) => text)), go) : go();
}

/** In one packet. What the last one answers. */
async function sendTogether(client: pg.PoolClient, flight: Statement[]): Promise<Result> {
  const stream = streamOf(client);
  stream.cork();
  const sent = flight.map((statement) => client.query(statement));
  stream.uncork();
  const outcomes = await Promise.allSettled(sent);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return (outcomes.at(-1) as PromiseFulfilledResult<Result>).value;
}
