import { abortedBy } from './attempt.ts';
import { BottegaError } from './errors.ts';
import { readEvents, type ServerSentEvent } from './event-stream.ts';
import type { CallOptions } from './options.ts';
import { mayPass, sleep } from './retries.ts';
import type { Transport } from './transport.ts';

type Following = {
  /** The path below /v1, with its query. */
  path: string;
  /** The id after which to begin. */
  after?: string | undefined;
  /** Called with the id of every event before it is returned. */
  onId?: ((id: string) => void) | undefined;
  options?: CallOptions | undefined;
};

/**
 * Time without data after which the connection counts as lost, in milliseconds. The service sends something every 15
 * seconds.
 */
const silence = 45_000;
const firstPause = 1_000;
const longestPause = 30_000;

/**
 * Follows a stream of events over as many connections as needed. Each connection continues after the last returned
 * event, so no event is missing or repeated. Ends when the caller stops or aborts. Throws errors that a retry cannot
 * fix.
 */
export async function* follow(
  transport: Transport,
  { path, after, onId, options = {} }: Following,
): AsyncGenerator<ServerSentEvent> {
  let [lastId, pause, failures] = [after, firstPause, 0];
  for (;;) {
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(lastId && { 'last-event-id': lastId }),
      };
      const answer = await transport.send({ method: 'GET', path, headers, read: 'response' }, options);
      const reading = {
        silence,
        onId(id: string) {
          lastId = id;
          // A stream of events begins with an id. So even one without events was not a failure.
          failures = 0;
          onId?.(id);
        },
        onRetry(milliseconds: number) {
          pause = milliseconds;
        },
      };
      for await (const event of readEvents(streamOf(answer.body as Response), reading)) {
        failures = 0;
        yield event;
      }
    } catch (error) {
      if (options.signal?.aborted) throw abortedBy(options.signal);
      if (error instanceof BottegaError && !mayPass(error)) throw error;
    }
    // The service has stopped, or the network is down.
    const wait = Math.min(longestPause, pause * 2 ** failures) * (0.5 + Math.random() / 2);
    failures += 1;
    await sleep(wait, options.signal).catch(() => {
      throw abortedBy(options.signal as AbortSignal);
    });
  }
}

function streamOf({ body, url, headers, status }: Response): ReadableStream<Uint8Array> {
  if (body && /^text\/event-stream\b/.test(headers.get('content-type') ?? ''))
    return body as ReadableStream<Uint8Array>;
  throw new BottegaError(`${url} did not respond with an event stream`, { code: 'UNEXPECTED_ANSWER', status });
}
