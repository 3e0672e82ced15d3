import { follow } from './following.ts';
import type { LogEntry } from './generated/types.ts';
import { queryText } from './operation.ts';
import type { CallOptions } from './options.ts';
import type { Transport } from './transport.ts';

export type LogOptions = CallOptions & {
  /** `seq` of a line: returns only later lines. */
  after?: number | undefined;
};

/** Yields the lines of a log until its end. `End` is what the service reports at the end. */
export async function* followLog<End>(
  transport: Transport,
  path: string,
  { after = 0, ...options }: LogOptions = {},
): AsyncGenerator<LogEntry, End> {
  const events = follow(transport, { path: path + queryText({ after }), options });
  for await (const { event, data } of events) {
    if (event === 'end') return JSON.parse(data) as End;
    if (event === 'log') yield JSON.parse(data) as LogEntry;
  }
  throw new Error('an event stream has no end');
}
