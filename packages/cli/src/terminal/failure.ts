import { BottegaError } from '@bottega/sdk';
import { CommanderError } from 'commander';
import { type ExitName, exitCodes } from './exit-codes.ts';

/** An error that ends a command, with a message for the user and an exit code for scripts. */
export class Failure extends Error {
  readonly exit: ExitName;
  /** What the user can do about it. */
  readonly hint: string | undefined;

  constructor(exit: ExitName, message: string, hint?: string) {
    super(message);
    this.exit = exit;
    this.hint = hint;
  }
}

/** Ends this program with the exit code of a command that it ran. */
export class Exited extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exited with ${code}`);
    this.code = code;
  }
}

export type Ending = { code: number; lines: string[] };

/** How the program ends after an error. */
export function endingOf(error: unknown, signal: AbortSignal): Ending {
  if (error instanceof CommanderError) return endingOfParser(error);
  if (error instanceof Exited) return { code: error.code, lines: [] };
  // An error that the interruption caused is not reported.
  if (signal.aborted) return { code: exitCodes.interrupted[0], lines: [] };
  if (error instanceof Failure) {
    return { code: exitCodes[error.exit][0], lines: [error.message, ...(error.hint ? [error.hint] : [])] };
  }
  if (error instanceof BottegaError) return endingOfCall(error);
  const message = error instanceof Error ? error.message : String(error);
  return { code: exitCodes.failed[0], lines: [message] };
}

/** The parser has already printed the error. Requested help is not a failure. */
function endingOfParser({ exitCode }: CommanderError): Ending {
  return { code: exitCode === 0 ? exitCodes.ok[0] : exitCodes.usage[0], lines: [] };
}

const exitOfStatus: Partial<Record<number, ExitName>> = {
  401: 'notSignedIn',
  403: 'forbidden',
  404: 'notFound',
  408: 'unreachable',
  409: 'conflict',
  410: 'notFound',
  412: 'conflict',
  429: 'limited',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
};

function endingOfCall(error: BottegaError): Ending {
  const exit = exitOfCall(error);
  const lines = [error.message];
  if (error.retryAfter !== undefined) lines.push(`Try again in ${error.retryAfter} s.`);
  if (exit === 'notSignedIn') lines.push('Sign in with `btg login`.');
  if (error.requestId) lines.push(`Request ${error.requestId}`);
  return { code: exitCodes[exit][0], lines };
}

function exitOfCall({ code, status }: BottegaError): ExitName {
  if (code === 'CONNECTION_ERROR' || code === 'TIMEOUT') return 'unreachable';
  return (status !== undefined && exitOfStatus[status]) || 'failed';
}
