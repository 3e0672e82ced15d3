import type { Duplex, Readable } from 'node:stream';

/**
 * Runs a project's own commands. A driver either isolates them from the service or says that it does not. A driver that
 * cannot be set up throws a `SandboxError`, and the deployment fails with that reason: isolation is never skipped.
 */

export type Limits = {
  memoryBytes: number;
  processes: number;
  fileBytes: number;
  /** Number of processors. The weight is below the service's in any case. */
  cpus: number;
  /** Maximum number of bytes in the workspace and /tmp together. */
  diskBytes: number;
  /** Maximum number of files, directories and links in them. */
  diskEntries: number;
  /** Time limit. Null for a server app, which may run forever. */
  seconds: number | null;
  /** If the memory is used up, only the largest process ends, and the rest of the run continues. */
  endsOne?: boolean;
};

export type SandboxSpec = {
  /** The name of the run: letters, digits and `_`. */
  id: string;
  /** A job's directory from `createJob`. Only its `workspace` is writable. */
  directory: string;
  command: string;
  environment: Record<string, string>;
  limits: Limits;
  /** The port that a server app is asked to listen on. Null for a build. */
  port: number | null;
  /** The run only examines what another run has left. It cannot change the workspace and has no network. */
  isReadOnly?: boolean;
  /** The run has no network. */
  isOffline?: boolean;
  /**
   * Directories whose files the workspace also shows, newest first. Changes of the run stay in `workspace`. A driver that
   * keeps files gets them with the first run only.
   */
  layers?: readonly string[];
  /**
   * Whether the command has an input. If so, `channel` is its standard input and output. Only for a driver that keeps
   * files.
   */
  hasInput?: boolean;
  /** The run is a workspace's agent. It replaces the command. */
  agent?: AgentFiles;
};

/** The agent's program, the directories of the packages that it imports, and the directory of language servers. */
export type AgentFiles = { program: string; packages: Record<string, string>; languages?: string | null };

export type Exit = {
  code: number | null;
  /** Why the run was stopped. Null if it ended by itself. */
  stoppedBy: 'time' | 'memory' | 'disk' | 'request' | null;
};

export type Place = { host: string; port: number } | { path: string };

export type Running = {
  /** The caller must read both streams to their end. An unread stream blocks the command, and `ended` with it. */
  stdout: Readable;
  stderr: Readable;
  /** Never rejects. Resolves once every process of the run is gone. */
  ended: Promise<Exit>;
  /** Sends a polite signal first if there is time. Resolves once every process is gone. */
  stop(graceMs: number): Promise<void>;
  /** The address at which the app's port is reached. Null for a build. */
  place: Place | null;
  /** The run's processes by this machine's numbers. Empty if only an engine knows them. */
  processes(): Promise<number[]>;
  /** The connection to the agent, or to a command that has an input. Null for any other run. */
  channel: Duplex | null;
  /** Notes for the beginning of the run's log, about where it runs. */
  notes: readonly string[];
};

export type DriverName = 'bubblewrap' | 'container' | 'process';

/** The limits that are enforced here, described for an operator. */
export type Capabilities = {
  driver: DriverName | 'none';
  isolated: boolean;
  memory: string;
  processes: string;
  cpu: string;
  disk: string;
  file_size: string;
  network: string;
  /** The refused system calls. */
  seccomp: string;
  /** Whether a run can create namespaces in which it has more rights. */
  user_namespaces: string;
  /** Why no command can be run. Null if commands can be run. */
  problem: string | null;
  /** Why no workspace can be run. Null if workspaces can be run. */
  workspaces: string | null;
  /** Missing features of commands, in words for an operator. */
  notes: readonly string[];
};

export type BuildDriver = {
  name: DriverName;
  probe(): Promise<Capabilities>;
  start(spec: SandboxSpec): Promise<Running>;
  /** Called before a job's directory is removed, to delete what the driver stores elsewhere. */
  release?(directory: string): Promise<void>;
  /** Present only if the driver keeps the files of workspaces itself, and not in their directories. */
  keeps?: KeptFiles;
};

/** Files of workspaces that a driver keeps from their first run until they are removed. */
export type KeptFiles = {
  /** Whether the driver still has all files of the workspace with this directory. */
  holds(directory: string): Promise<boolean>;
  /** Makes language servers that were fetched meanwhile visible in running workspaces. */
  bringAgent(agent: AgentFiles): Promise<void>;
  remove(directory: string): Promise<void>;
};

export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}
