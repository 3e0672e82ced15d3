import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { loadDashboard, notBuilt } from '../dashboard/index.ts';
import type { Config } from '../foundation/config/index.ts';
import { loadSecretKey, settleNextKey } from '../foundation/crypto/secret-key.ts';
import { mustBeTheSecretKey } from '../foundation/crypto/secret-key-check.ts';
import { openDb } from '../foundation/db/index.ts';
import type { Role } from '../foundation/ground.ts';
import { bufferedDestination, createLogger } from '../foundation/http/logging.ts';
import type { PartHealth } from '../foundation/slice.ts';
import type { Service } from '../service.ts';
import { UsageError } from './command-error.ts';
import { type Administrator, createFirstAdministrator } from './first-start.ts';
import { migrateDatabase, openDatabase } from './open-database.ts';
import { withinSeconds } from './within-seconds.ts';

const roles: Role[] = ['all', 'api', 'worker'];

/** Runs until a signal: database, migrations, first administrator, listen; and the same in reverse. */
export async function start(config: Config, args: string[]): Promise<void> {
  const role = parseRole(args);
  const log = createLogger(config.logLevel, bufferedDestination());
  const stopped = signalled();
  const address = config.publicUrl ?? 'a free port';
  const database = await openDatabase({
    config,
    log,
    holder: 'service',
    description: `bottega start (pid ${process.pid}) at ${address}`,
  });
  let service: Service | null = null;
  try {
    await migrateDatabase(database);
    const db = openDb(database.pool);
    const secretKey = await settleNextKey(db, loadSecretKey(config.secretKey, config.dataDir), config);
    await mustBeTheSecretKey(db, secretKey);
    // It takes longest to load: whatever keeps a start from going on is told before.
    const { createService } = await import('../service.ts');
    service = await createService({ config, log, ...database, secretKey, role });
    await service.listen();
    // After all that can fail: its credentials are printed this once, so they must not be lost with a failed start.
    const administrator = role === 'worker' ? null : await createFirstAdministrator(db);
    greet(service.publicUrl(), administrator, role);
    tellWhatIsMissing(log, await service.health());
    const signal = await stopped;
    log.info({ signal }, 'stopping: finishing what is in progress');
  } finally {
    try {
      await withinSeconds(config.shutdownTimeout, service?.drain());
    } finally {
      await database.close();
    }
  }
}

function parseRole(args: string[]): Role {
  const { values } = parseArgs({ args, options: { role: { type: 'string', default: 'all' } } });
  const role = roles.find((one) => one === values.role);
  if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}`);
  return role;
}

/** To the person at the terminal, not to the log: these are the only places where the credentials ever appear. */
function greet(url: string, administrator: Administrator | null, role: Role): void {
  const lines = [`Bottega is running at ${url} (documentation: ${url}/docs)`];
  if (role === 'worker') lines[0] = 'Bottega is running as a worker';
  else if (!loadDashboard()) lines.push(notBuilt);
  if (administrator) {
    lines.push(
      '',
      'This is its first start. Its administrator, shown only now:',
      `  e-mail    ${administrator.email}`,
      `  password  ${administrator.password}`,
      `  API key   ${administrator.apiKey}`,
    );
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

/** One line each, so that nothing fails later for a reason that is known now. */
function tellWhatIsMissing(log: Logger, health: Record<string, PartHealth>): void {
  for (const [part, { problem, notes = [] }] of Object.entries(health)) {
    for (const line of problem === null ? notes : [problem, ...notes]) log.warn({ source: part }, line);
  }
}

/**
 * Any further signal changes nothing: a Ctrl-C reaches the process by its group and once more through npm. SIGHUP is a
 * terminal that was closed.
 */
function signalled(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => resolve(signal));
    }
  });
}
