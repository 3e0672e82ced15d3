import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { memoryOfMachine } from '../../processes/memory-of-machine.ts';
import { refuseOtherVersion } from './cluster.ts';
import { type Layout, port, prepareSocketDir } from './layout.ts';
import { openLog } from './log-file.ts';
import { removeStaleLocks } from './postmaster.ts';
import type { Programs } from './programs.ts';
import { commandAs } from './run-as.ts';
import { sharedBuffersMiB } from './shared-buffers.ts';

/**
 * On the command line, so that a release that changes one changes it for old clusters too. What
 * guards the data (fsync, full_page_writes, synchronous_commit) is on by default and not repeated:
 * here it could not be turned off by ALTER SYSTEM, as tests do on clusters that they throw away.
 */
function settings(socketDir: string): Record<string, string> {
  return {
    listen_addresses: '',
    port: String(port),
    // A list: quotes keep a comma or space in the path from splitting it.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // Eight processes for requests and one for jobs may take a hundred of them; commands come on top.
    max_connections: '200',
    shared_buffers: `${sharedBuffersMiB(memoryOfMachine())}MB`,
    // Compiling costs more than it saves in queries that take a millisecond.
    jit: 'off',
    // Ends what a killed service had running, instead of at the end of its query.
    client_connection_check_interval: '10s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_checkpoints: 'off',
  };
}

export type ServerProcess = {
  /** Gives its process id. That it runs does not mean yet that it will come up. */
  start(socketDir: string, staleRecord: string | undefined): Promise<number | undefined>;
  /** The process that this one started last, if it still runs. */
  runningPid(): number | undefined;
};

export function serverProcess(layout: Layout, programs: () => Promise<Programs>): ServerProcess {
  let child: ChildProcess | undefined;
  return {
    async start(socketDir, staleRecord) {
      const found = await programs();
      await refuseOtherVersion(layout.cluster, found);
      await prepareSocketDir(socketDir, layout);
      await removeStaleLocks(layout.cluster, socketDir, staleRecord);
      child = await launch(layout, found, socketDir);
      return child.pid;
    },
    runningPid() {
      return child?.exitCode === null && child.signalCode === null ? child.pid : undefined;
    },
  };
}

/**
 * In a session of its own, so that Ctrl-C and other signals to our process group do not stop the
 * database before the service has drained; with a file for output, since a pipe would break, and
 * then kill the server, when we die.
 */
async function launch(layout: Layout, { postgres, runAs }: Programs, socketDir: string) {
  const assignments = Object.entries(settings(socketDir)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = commandAs(runAs, postgres, ['-D', layout.cluster, ...assignments]);
  const log = await openLog(layout.log, runAs.owner);
  try {
    const child = spawn(command.file, command.args, {
      ...command.options,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}
