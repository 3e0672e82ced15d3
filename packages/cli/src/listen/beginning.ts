import { BottegaError } from '@bottega/sdk';
import type { Connection } from '../context.ts';

/** How long to wait for the cursor. The service sends it immediately, before anything else. */
const patienceMs = 30_000;
const maxCharacters = 4096;

/**
 * The current cursor, which is the first thing that a stream sends. It is stored before anything else happens. So if
 * the program is stopped before it has received any event, it does not miss the events that happen meanwhile.
 */
export async function cursorOfNow({ baseUrl, token }: Connection, signal: AbortSignal): Promise<string | undefined> {
  const ending = new AbortController();
  const answer = await fetch(`${baseUrl}/v1/events`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${await token()}` },
    redirect: 'error',
    signal: AbortSignal.any([signal, ending.signal, AbortSignal.timeout(patienceMs)]),
  }).catch((error: Error & { cause?: Error & { code?: string } }) => {
    const why = error.cause?.message || error.cause?.code || error.message;
    throw new BottegaError(`No response from ${baseUrl}: ${why}`, { code: 'CONNECTION_ERROR', cause: error });
  });
  // The subscription, which is opened next, reports what is wrong.
  if (!answer.ok || !answer.body) return undefined;
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of answer.body) {
      text += decoder.decode(chunk, { stream: true });
      const [, id] = /^id: ?(\S+)\n/m.exec(text) ?? [];
      if (id !== undefined) return id;
      if (text.length > maxCharacters) break;
    }
  } finally {
    ending.abort();
  }
  throw new BottegaError(`${baseUrl} sent no cursor in its event stream`, { code: 'UNEXPECTED_ANSWER' });
}
