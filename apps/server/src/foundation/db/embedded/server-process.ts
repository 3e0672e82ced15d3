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
 * These settings are passed on the command line, so that a release that changes a setting also changes it for old
 * clusters. The settings that protect the data (fsync, full_page_writes, synchronous_commit) are on by default and are
 * not repeated here. If they were on the command line, ALTER SYSTEM could not turn them off, which tests do on
 * temporary clusters.
 */
function settings(socketDir: string): Record<string, string> {
  return {
    listen_addresses: '',
    port: String(port),
    // The value is a list. The quotes keep a comma or a space in the path from splitting it.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // Eight processes for requests and one for jobs may use a hundred connections. Commands need more.
    max_connections: '200',
    shared_buffers: `${sharedBuffersMiB(memoryOfMachine())}MB`,
    // Compiling (JIT) costs more than it saves for queries that take a millisecond.
    jit: 'off',
    // Ends the queries of a killed service early, instead of letting them run to their end.
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
  /** Starts the process of the server and returns its id. The server may still fail to start. */
  start(socketDir: string, staleRecord: string | undefined): Promise<number | undefined>;
  /** The process that this object started last, if it still runs. */
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
 * The server gets a separate session, so that Ctrl-C and other signals to our process group do not stop the database
 * before the service has drained. Its output goes to a file, because a pipe would break when we die, and that would
 * kill the server.
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
