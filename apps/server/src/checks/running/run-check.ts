import type { CheckAnnotation } from '@bottega/contract';
import type { Logger } from 'pino';
import {
  type Bell,
  BuildProblem,
  createMask,
  type Interruption,
  type LogWriter,
  maxOutages,
  openLogWriter,
  untilBack,
  whatWasUnavailable,
} from '../../deployments/index.ts';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import { transaction } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { type Span, span } from '../../foundation/tracing/span.ts';
import { type CheckRow, type Claim, type Ending, logOfCheck, releaseRun } from '../state/index.ts';
import { annotationsOf } from './annotations.ts';
import { type CheckTools, check } from './check.service.ts';
import { cancelled, finishRun } from './finish.service.ts';
import { commandOf, type Said } from './workflow-commands.ts';

export type RunOptions = CheckTools & { log: Logger; box: SecretBox; bell: Bell; logBytes: number };

type One = { row: CheckRow; claim: Claim; signal: AbortSignal };

/**
 * The most annotations that are collected. They are more than can be stored, because some are not about files of the
 * tree.
 */
const maxSaid = 1_000;

/** Runs one check from its claim to its end. */
export async function runCheck(options: RunOptions, one: One): Promise<void> {
  const { db, box, bell, logBytes } = options;
  const { row, claim, signal } = one;
  const variables: Record<string, string> = row.variables_encrypted
    ? JSON.parse(box.open(row.variables_encrypted))
    : {};
  const said: Said[] = [];
  const log = openLogWriter({
    ...{ db, of: logOfCheck(row.id), maxBytes: logBytes },
    mask: createMask(Object.values(variables)),
    onWritten: () => bell.ring(row.id),
    onLine(line) {
      const command = said.length < maxSaid ? commandOf(line) : null;
      if (command) said.push(command);
    },
  });
  try {
    const told = spanOf(one);
    const { reported, pathOf, ...ending } = await span(told, async () => {
      const done = await check(options, { row, attempt: claim.attempt, variables, log, signal });
      told.attributes['cicd.pipeline.result'] = done.conclusion;
      return done;
    });
    log.say(ending.title, ending.conclusion === 'success' ? 'info' : 'error');
    // After this, all lines were read, and with them everything that the command said about files.
    await log.close();
    await end(options, one, { ...ending, annotations: annotationsOf([...said, ...reported], pathOf) });
  } catch (error) {
    await fail(options, one, { error, log });
  } finally {
    await log.close().catch(() => undefined);
  }
}

const spanOf = ({ row, claim }: One): Span => ({
  name: `RUN ${row.name}`,
  kind: 'consumer',
  attributes: {
    'cicd.pipeline.name': row.name,
    'cicd.pipeline.run.id': row.id,
    'bottega.project_id': row.project_id,
    'bottega.attempt': claim.attempt,
  },
  begins: { causedBy: row.request_id },
});

const end = ({ db }: RunOptions, { claim, signal }: One, ending: Ending & { annotations: CheckAnnotation[] }) =>
  untilBack(signal, () => transaction(db, (trx) => finishRun(trx, claim, ending)).then(() => undefined));

async function fail(options: RunOptions, one: One, { error, log }: { error: unknown; log: LogWriter }): Promise<void> {
  const { db } = options;
  const { claim, row, signal } = one;
  const interruption = signal.aborted ? (signal.reason as Interruption) : null;
  // Another worker has taken the check, or will take it. So this worker writes nothing more about it.
  if (interruption === 'lost') return;
  if (interruption === 'shutdown') {
    log.say('The worker is stopping; the check will return to the queue', 'warn');
    await log.close();
    return releaseRun(db, claim, { counts: false });
  }
  const missed = whatWasUnavailable(error);
  if (missed !== null && interruption === null && row.tries < maxOutages) {
    log.say(`${missed} was unavailable; the check will be restarted`, 'warn');
    await log.close();
    return untilBack(signal, () => releaseRun(db, claim, { counts: true }));
  }
  const ending = interruption === 'canceled' ? cancelled('Cancelled') : problemOf(error);
  if (ending.title === ourFault)
    options.log.error({ source: 'checks', check: claim.id, err: error }, 'failed to run a check');
  log.say(ending.title, 'error');
  await log.close().catch(() => undefined);
  await end(options, one, { ...ending, annotations: [] });
}

const ourFault = 'Something went wrong on our side';

/** The messages of these errors are for users: the sandbox is unavailable, or the files exceed a limit. */
function problemOf(error: unknown): Ending {
  const isTold = error instanceof BuildProblem || error instanceof AppError;
  return { conclusion: 'failure', title: isTold ? error.message.slice(0, 255) : ourFault, summary: '' };
}
