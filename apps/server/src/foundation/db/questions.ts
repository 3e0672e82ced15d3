import type { CompiledQuery } from 'kysely';
import type { PointReads } from './read-lane.ts';
import type { Trx } from './transaction.ts';

/** A statement, and a function that turns its rows into the answer. */
export type Question<Answer, Row = unknown> = { query: CompiledQuery<Row>; read(rows: Row[]): Answer };
type Answers<Questions extends readonly Question<unknown>[]> = {
  [Index in keyof Questions]: Questions[Index] extends Question<infer Answer> ? Awaited<Answer> : never;
};

export const ask = async <Answer>(db: PointReads, { query, read }: Question<Answer>): Promise<Awaited<Answer>> =>
  await read((await db.executeQuery(query)).rows);

/**
 * Sends several statements in one round trip. They run one after the other, each with its own snapshot. So a statement
 * that follows one which takes a lock sees what earlier holders of the lock did. Kysely would wait for each answer
 * before it sends the next statement.
 */
export async function askTogether<const Questions extends readonly Question<unknown>[]>(
  trx: Trx,
  questions: Questions,
): Promise<Answers<Questions>> {
  const outcomes = await trx
    .getExecutor()
    .provideConnection((connection) =>
      Promise.allSettled(questions.map(({ query }) => connection.executeQuery<unknown>(query))),
    );
  const answers: unknown[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    // The errors after the first one only say that the transaction has failed.
    if (outcome.status === 'rejected') throw outcome.reason;
    answers.push(await questions[index]?.read(outcome.value.rows));
  }
  return answers as Answers<Questions>;
}
