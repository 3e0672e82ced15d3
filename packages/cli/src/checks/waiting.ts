import { setTimeout } from 'node:timers/promises';
import type { Io } from '../terminal/io.ts';

/** The pauses grow, so that an hour of waiting stays within the rate limit of every plan. */
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** Repeats a request, with pauses, until its answer is final. */
export async function askUntil<Answer>(
  { signal }: Pick<Io, 'signal'>,
  ask: () => PromiseLike<Answer>,
  isLast: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 1.3)) {
    const answer = await ask();
    if (isLast(answer)) return answer;
    await setTimeout(pause, undefined, { signal });
  }
}
