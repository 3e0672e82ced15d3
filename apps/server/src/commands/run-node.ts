import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import { loadDashboard, notBuilt } from '../dashboard/index.ts';
import type { Siblings } from '../foundation/cluster/siblings.ts';
import type { Config } from '../foundation/config/index.ts';
import { openDb } from '../foundation/db/index.ts';
import type { Role } from '../foundation/ground.ts';
import { compileAll } from '../foundation/http/request/first-use.ts';
import { giveBackWhenIdle } from '../foundation/processes/idle-memory.ts';
import type { PartHealth } from '../foundation/slice.ts';
import type { Service } from '../service.ts';
import type { Processes } from './child-messages.ts';
import { findSecretKey } from './find-secret-key.ts';
import { createFirstAdministrator } from './first-start.ts';
import type { LoadedService } from './load-service.ts';
import type { OpenDatabase } from './open-database.ts';
import { withinSeconds } from './within-seconds.ts';

type Options = {
  config: Config;
  log: Logger;
  database: OpenDatabase;
  loaded: LoadedService;
  role: Role;
  siblings?: Siblings;
  /** Called when the node listens. */
  ready(service: Service): void | Promise<void>;
  /** Resolves with the reason to stop. */
  stopped: Promise<string>;
};

/** Runs a node in this process, on an open and migrated database, until it is stopped and drained. */
export async function runNode(options: Options): Promise<void> {
  const { config, log, database, loaded, role, siblings, ready, stopped } = options;
  const stopping = new AbortController();
  const secretKey = await findSecretKey(config, database);
  const { createService } = await loaded;
  const others = siblings && { siblings };
  const service = await createService({ config, log, ...database, secretKey, role, ...others });
  // The compile cache is written before the first request, because writing blocks the event loop. It is not written at
  // the end of the process, because a process may be killed.
  flushCompileCache();
  try {
    await service.listen();
    // This may wait for a container engine that has to pull an image first. A stop does not wait for it.
    await Promise.race([ready(service), stopped]);
    giveBackWhenIdle();
    void compileAll(stopping.signal);
    log.info({ reason: await stopped }, 'stopping: finishing work in progress');
  } finally {
    stopping.abort();
    await withinSeconds(config.lameDuckSeconds + config.shutdownTimeout, service.drain());
  }
}

/** How many processes there are. Null means that one does everything. */
function inWords(processes: Processes | null): string {
  if (processes === null) return 'Processes: 1 for everything';
  const { requests, background } = processes;
  return `Processes: ${requests} for requests${background ? ', 1 for background work' : ''}, 1 that supervises`;
}

/**
 * Prints a greeting for the person at the terminal, outside the log. The first credentials appear only in this
 * greeting, so it is printed after everything that can fail.
 */
export async function greet(
  { pool }: OpenDatabase,
  service: Service,
  { role, processes }: { role: Role; processes: Processes | null },
): Promise<void> {
  const url = service.publicUrl();
  const lines = [`Bottega is running at ${url} (guide: ${url}/guide, API: ${url}/docs)`, inWords(processes)];
  if (role === 'worker') lines.splice(0, 2, 'Bottega is running as a worker');
  else if (!loadDashboard()) lines.push(notBuilt);
  const tls = await service.tlsInWords();
  if (tls) lines.push(`TLS: ${tls}`);
  const administrator = role === 'worker' ? null : await createFirstAdministrator(openDb(pool));
  if (administrator) {
    lines.push(
      '',
      "This is the first start. The administrator's credentials are shown only once:",
      `  e-mail    ${administrator.email}`,
      `  password  ${administrator.password}`,
      `  API key   ${administrator.apiKey}`,
    );
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

/** Logs one line for each missing part. So nothing fails later for a reason that is already known. */
export function tellWhatIsMissing(log: Logger, health: Record<string, PartHealth>): void {
  for (const [part, { problem, notes = [] }] of Object.entries(health)) {
    for (const line of problem === null ? notes : [problem, ...notes]) log.warn({ source: part }, line);
  }
}
