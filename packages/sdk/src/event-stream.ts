import { BottegaError } from './errors.ts';

export type ServerSentEvent = {
  event: string;
  data: string;
};

type Reading = {
  /** Milliseconds without any data after which the connection counts as lost. */
  silence: number;
  /** Called for every event before it is returned, including events without data, which contain only an id. */
  onId(id: string): void;
  /** Called when the service requests a delay before the next connection. */
  onRetry(milliseconds: number): void;
};

/** Largest event, in characters. No event of the service is larger. */
const largestEvent = 16 * 1024 * 1024;

const withoutEnd = (): BottegaError =>
  new BottegaError(`An event has more than ${largestEvent} characters`, { code: 'UNEXPECTED_ANSWER' });

/**
 * Yields the server-sent events in one response, as the HTML standard defines them. Ends with the response. Throws if
 * the response breaks off.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>, reading: Reading): AsyncGenerator<ServerSentEvent> {
  let [id, event, data, size] = ['', '', [] as string[], 0];
  for await (const line of linesOf(body, reading.silence)) {
    if (line === '') {
      if (id !== '') reading.onId(id);
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n') };
      [event, data, size] = ['', [], 0];
      continue;
    }
    size += line.length;
    if (size > largestEvent) throw withoutEnd();
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) reading.onRetry(Number(value));
  }
}

/** A line ends at CR, LF or both. Text after the last line ending is not a line yet. */
async function* linesOf(body: ReadableStream<Uint8Array>, silence: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunksOf(body, silence)) {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the end may be half of a CRLF.
    const isHalf = rest.endsWith('\r');
    const lines = (isHalf ? rest.slice(0, -1) : rest).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + (isHalf ? '\r' : '');
    yield* lines;
    if (rest.length > largestEvent) throw withoutEnd();
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>, silence: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), silence);
      if (done) return;
      yield value;
    }
  } finally {
    // If the caller stops early, the connection ends too.
    reader.cancel().catch(() => undefined);
  }
}

function withinTime<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no data for ${milliseconds} ms`)), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
