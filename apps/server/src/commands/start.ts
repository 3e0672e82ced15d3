import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { canSharePorts, mustBeFree } from '../foundation/cluster/shared-ports.ts';
import type { Config } from '../foundation/config/index.ts';
import type { Role } from '../foundation/ground.ts';
import { bufferedDestination, createLogger } from '../foundation/http/watching/logging.ts';
import { memoryOfMachine } from '../foundation/processes/memory-of-machine.ts';
import { readPair } from '../foundation/tls/own-certificate.ts';
import { UsageError } from './command-error.ts';
import { findSecretKey } from './find-secret-key.ts';
import { loadService } from './load-service.ts';
import { migrateDatabase, type OpenDatabase, openDatabase } from './open-database.ts';

const roles: Role[] = ['all', 'api', 'worker'];
const maxDefaultProcesses = 8;
/**
 * Size of the blocks from which Node cuts small buffers. A cached buffer of a few bytes keeps its whole block in memory,
 * and Node's own blocks are 64 KiB: 2 MB of cached shas and contents kept 54 MB.
 */
const bufferBlock = 4_096;
const leastMemory = 2 ** 30;

/**
 * Runs the service until a signal arrives: opens the database, migrates, creates the first administrator, listens, and
 * stops in reverse order.
 */
export async function start(config: Config, args: string[]): Promise<void> {
  const { role, isChild } = parseOptions(args);
  Buffer.poolSize = bufferBlock;
  const log = createLogger(config.logLevel, bufferedDestination());
  if (isChild) return (await import('./child.ts')).runChild({ config, log, role });
  // A mistake of the operator is reported before anything is started.
  if (config.tls?.certificates.from === 'files') readPair(config.tls.certificates);
  const stopped = signalled();
  const processes = role === 'worker' ? null : await countProcesses(config, log);
  if (processes !== null) await mustBeFree(config);
  const opened = openUpToDate(config, log);
  // Callers that wait for the database get the error.
  opened.catch(() => undefined);
  try {
    if (processes !== null) {
      await (await import('./primary.ts')).runPrimary({ config, log, role, processes, opened, stopped });
    } else {
      const { runNode, greet, tellWhatIsMissing } = await import('./run-node.ts');
      const database = await opened;
      const ready: Parameters<typeof runNode>[0]['ready'] = async (service) => {
        await greet(database, service, { role, processes: null });
        tellWhatIsMissing(log, await service.health());
      };
      await runNode({ config, log, database, loaded: loadService(config), role, ready, stopped });
    }
  } finally {
    await opened.then(({ close }) => close());
  }
}

async function openUpToDate(config: Config, log: Logger): Promise<OpenDatabase> {
  const description = `bottega start (pid ${process.pid}) at ${config.publicUrl ?? 'a free port'}`;
  const database = await openDatabase({ config, log, holder: 'service', description });
  try {
    await migrateDatabase(database);
    // Checked before several processes start, so that a wrong key is reported only once.
    await findSecretKey(config, database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Only a primary passes `--child`. */
function parseOptions(args: string[]): { role: Role; isChild: boolean } {
  const options = { role: { type: 'string', default: 'all' }, child: { type: 'boolean', default: false } } as const;
  const { values } = parseArgs({ args, options });
  const role = roles.find((one) => one === values.role);
  if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}`);
  if (values.child && !process.send) throw new UsageError('--child is only for processes that bottega start creates');
  return { role, isChild: values.child };
}

/**
 * Number of processes that answer requests, beside the one for background work. Null means that one process does
 * everything. With two processors, a second process for requests would take its time from the first, from background
 * work and from the embedded database: it makes a request twice as expensive.
 */
async function countProcesses({ processes }: Config, log: Logger): Promise<number | null> {
  const cores = availableParallelism();
  if (processes === 1 || (processes === 'auto' && (cores === 1 || memoryOfMachine() < leastMemory))) return null;
  const byItself = cores === 2 ? 1 : Math.min(cores, maxDefaultProcesses);
  if (await canSharePorts()) return processes === 'auto' ? byItself : processes;
  if (processes !== 'auto') {
    log.warn({ source: 'processes' }, 'ignoring BOTTEGA_PROCESSES; processes cannot share a port on this system');
  }
  return null;
}

/**
 * Waits for the first signal. Further signals have no effect, because Ctrl-C reaches the process through its group and
 * again through npm. SIGHUP means that the terminal was closed.
 */
function signalled(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => resolve(signal));
    }
  });
}
