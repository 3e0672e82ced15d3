import { BottegaError } from '@bottega/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Connection, type Context, connect } from '../context.ts';
import { withLock } from '../files/lock.ts';
import { cursorOfNow } from '../listen/beginning.ts';
import { type Attempt, deliver, isAccepted, type StreamedEvent } from '../listen/forward.ts';
import { type Listening, type ListenState, readState, statePath, writeState } from '../listen/listen-state.ts';
import { projectOf } from '../project/find-project.ts';
import { Failure } from '../terminal/failure.ts';
import { printable } from '../terminal/text.ts';
import { listOf, type Run, withExamples } from './command.ts';

export function addListenCommand(program: Command, run: Run): void {
  const listen = program
    .command('listen')
    .summary('forward events to a receiver on this machine')
    .description(
      'Forward events to a receiver on this machine as they happen, signed like webhook deliveries. You need no webhook ' +
        'and no public address. The next run continues where the last run stopped: it also forwards the events since then, ' +
        'if the service still stores them. btg retries an event until the receiver responds with 2xx. ' +
        'With --project, btg forwards only the events of one project.',
    )
    .requiredOption('--forward <address>', 'address of the receiver, or a port on this machine', receiverOf)
    .option('--events <names>', 'events, such as file.updated,deployment.*; default: all that you can read', listOf)
    .addOption(
      new Option('--format <format>', 'payload format').choices(['core', 'reference', 'guide']).default('core'),
    )
    .option('--secret <secret>', 'signing secret; default: a generated and stored secret')
    .option('--from-now', 'skip events that happened while btg was not listening')
    .option('--skip-failed', 'try each event once and continue if the attempt fails')
    .action(run(listenTo));
  withExamples(
    listen,
    'btg listen --forward localhost:4000/webhook',
    'btg listen --forward 4000 --events deployment.* --project Shop',
  );
}

function receiverOf(given: string): string {
  const withHost = /^\d+$/.test(given) ? `localhost:${given}/` : given;
  const address = /^https?:\/\//i.test(withHost) ? withHost : `http://${withHost}`;
  if (!URL.canParse(address)) throw new InvalidArgumentError('It must be a valid receiver address.');
  return new URL(address).href;
}

type Options = {
  forward: string;
  events?: string[];
  format: Listening['format'];
  secret?: string;
  fromNow?: boolean;
  skipFailed?: boolean;
};

async function listenTo(context: Context, options: Options): Promise<void> {
  const { io } = context;
  const connection = await connect(context);
  const project = context.options.project ? await projectOf(context, connection) : null;
  const { events = [], format, forward } = options;
  const listening: Listening = { url: connection.baseUrl, project, events: events.toSorted(), format, forward };
  const path = statePath(io, listening);
  const onHeld = (pid: number) => {
    throw new Failure('conflict', `Process ${pid} already forwards these events to ${forward}.`);
  };
  const held = { signal: io.signal, staleAfterMs: Number.POSITIVE_INFINITY, onHeld };
  await withLock(`${path}.lock`, held, () => follow(context, connection, { listening, path, options }));
}

type Job = { listening: Listening; path: string; options: Options };

async function follow(context: Context, connection: Connection, job: Job): Promise<void> {
  const { io, output } = context;
  const { listening, path, options } = job;
  const state = await beginning(io.signal, connection, job);
  const { project, events, format, forward } = listening;
  const filter = { projectId: project ?? undefined, types: events.length > 0 ? events : undefined, format };
  output.note(`Forwarding events to ${forward}, signed with ${state.secret}`);
  const subscription = connection.client.events.subscribe({ ...filter, after: state.cursor }, { signal: io.signal });
  const onAttempt = (attempt: Attempt) => {
    output.line(attempt, () => attemptInWords(context, attempt));
    return options.skipFailed ? ('give up' as const) : ('again' as const);
  };
  try {
    for await (const event of subscription as AsyncIterable<StreamedEvent>) {
      await deliver(event, { address: forward, secret: state.secret }, { signal: io.signal, onAttempt });
      // The position is stored only after the event was posted. If the process is killed before that, the event is
      // posted again with the same id.
      const { cursor } = subscription;
      await writeState(path, listening, { ...state, ...(cursor !== undefined && { cursor }) });
    }
  } catch (error) {
    if (!(error instanceof BottegaError) || error.status !== 410) throw error;
    throw new Failure('failed', error.message, 'Some events are no longer available. Use --from-now to continue.');
  }
}

async function beginning(
  signal: AbortSignal,
  connection: Connection,
  { listening, path, options }: Job,
): Promise<ListenState> {
  const kept = await readState(path);
  const secret = options.secret ?? kept.secret;
  const cursor = options.fromNow ? undefined : kept.cursor;
  const from = cursor ?? (await cursorOfNow(connection, signal));
  const state = { secret, ...(from !== undefined && { cursor: from }) };
  await writeState(path, listening, state);
  return state;
}

function attemptInWords({ output: { colours } }: Context, attempt: Attempt): string {
  const { event, event_id, status, error, duration } = attempt;
  const answer = status === null ? `no response: ${printable(error ?? '')}` : `${status} after ${duration} ms`;
  const colour = isAccepted(attempt) ? colours.green : colours.red;
  return `${new Date().toISOString()}  ${printable(event)}  ${printable(event_id)}  ${colour(answer)}`;
}
