import type { Logger } from 'pino';
import { type Channel, type Message, siblingsBy } from '../foundation/cluster/siblings.ts';
import type { Config } from '../foundation/config/index.ts';
import type { Role } from '../foundation/ground.ts';
import type { ToChild, ToPrimary } from './child-messages.ts';
import { loadService } from './load-service.ts';
import { openDatabase } from './open-database.ts';
import { greet, runNode, tellWhatIsMissing } from './run-node.ts';

type Options = { config: Config; log: Logger; role: Role };

/**
 * Runs one of the processes that share the ports of a service. The primary opens and migrates the database while this
 * process loads, and tells it when to continue and when to stop. If the primary has ended, this process exits
 * immediately.
 */
export async function runChild({ config, log, role }: Options): Promise<void> {
  process.once('disconnect', () => process.exit(1));
  const stopped = askedToStop();
  const opened = hears('go');
  const loaded = loadService(config);
  if (typeof (await Promise.race([opened, stopped])) === 'string') return;
  const description = `a process of bottega start (pid ${process.pid})`;
  const database = await openDatabase({ config, log, holder: 'child', description });
  try {
    await runNode({
      config,
      log,
      database,
      loaded,
      role,
      siblings: siblingsBy(toPrimary, { answersAlone: config.processes === 1 }),
      stopped,
      async ready(service) {
        hears('greet')
          .then(({ processes }) => greet(database, service, { role, processes }))
          .catch((error) => log.error({ err: error }));
        process.send?.({ kind: 'ready', ports: service.ports() } satisfies ToPrimary);
        // Only the worker reports problems, because all processes would report the same ones, and the worker has the
        // most to report.
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

/**
 * Waits until the primary, or a SIGTERM, asks this process to stop. Ctrl-C and a closed terminal send a signal to the
 * whole process group, which is ignored here, because the primary decides in which order processes stop.
 */
function askedToStop(): Promise<string> {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    void hears('stop').then(() => resolve('the service is stopping'));
  });
}

const hears = <Kind extends ToChild['kind']>(kind: Kind): Promise<Extract<ToChild, { kind: Kind }>> =>
  new Promise((resolve) => {
    const isThis = (message: ToChild): message is Extract<ToChild, { kind: Kind }> => message.kind === kind;
    process.on('message', (message: ToChild) => isThis(message) && resolve(message));
  });
