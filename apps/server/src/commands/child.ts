import type { Logger } from 'pino';
import type { Config } from '../foundation/config/index.ts';
import type { Role } from '../foundation/ground.ts';
import { type Channel, type Message, siblingsBy } from '../foundation/processes/siblings.ts';
import type { ToChild, ToPrimary } from './child-messages.ts';
import { openDatabase } from './open-database.ts';
import { greet, runNode, tellWhatIsMissing } from './run-node.ts';

type Options = { config: Config; log: Logger; role: Role };

/**
 * One of the processes of a service, which share a port. The primary has opened the database and brought it up to date. It
 * also says when to stop; where it is gone without a word, so is this process.
 */
export async function runChild({ config, log, role }: Options): Promise<void> {
  const stopped = askedToStop();
  const description = `a process of bottega start (pid ${process.pid})`;
  const database = await openDatabase({ config, log, holder: 'command', description });
  try {
    await runNode({
      config,
      log,
      database,
      role,
      siblings: siblingsBy(toPrimary),
      stopped,
      async ready(service) {
        process.on('message', (message: ToChild) => {
          if (message.kind === 'greet') void greet(database, service, role).catch((error) => log.error({ err: error }));
        });
        process.send?.({ kind: 'ready', ports: service.ports() } satisfies ToPrimary);
        // The same for all of them; one has more to tell than the others.
        if (role === 'worker') tellWhatIsMissing(log, await service.health());
      },
    });
  } finally {
    await database.close();
  }
}

const toPrimary: Channel = {
  send: (message) => void (process.connected && process.send?.(message)),
  onMessage: (listener) => void process.on('message', (message: Message) => listener(message)),
};

/** A Ctrl-C and a terminal that was closed reach the whole group; what then happens in which order is the primary's to say. */
function askedToStop(): Promise<string> {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('message', (message: ToChild) => message.kind === 'stop' && resolve('the service stops'));
  });
}
