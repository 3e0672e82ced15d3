import { GitError, tellsOfLimit } from '../cache/index.ts';

/** A push that is refused as a whole. The message goes into the report, and the lines go to the terminal. */
export class PushRefused extends Error {
  override readonly name = 'PushRefused';
  readonly lines: string[];

  constructor(message: string, lines: string[] = []) {
    super(message);
    this.lines = lines;
  }
}

/** The refusal if the push caused this failure. Null if the service did. */
export function refusalOf(error: unknown): PushRefused | null {
  if (error instanceof PushRefused) return error;
  if (!(error instanceof GitError) || !tellsOfLimit(error.message)) return null;
  return new PushRefused('the check takes too long or uses too much memory', [
    'Each step of the check can take at most one minute. Push fewer commits and references at a time.',
  ]);
}
