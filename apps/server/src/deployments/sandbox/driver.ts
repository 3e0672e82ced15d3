import type { Readable } from 'node:stream';

/**
 * What runs a project's own commands. A driver either keeps them apart from the service, or says that it does not; one
 * that cannot be set up throws a `SandboxError`, and the deployment fails with that reason: it is never skipped.
 */

export type Limits = {
  memoryBytes: number;
  processes: number;
  fileBytes: number;
  /** Processors' worth of time; the weight is below the service's anyway. */
  cpus: number;
  /** What workspace and /tmp may hold together. */
  diskBytes: number;
  /** Files, directories and links in them. */
  diskEntries: number;
  /** Null: as long as it likes, for a server app. */
  seconds: number | null;
};

export type SandboxSpec = {
  /** Names the run; letters, digits and `_`. */
  id: string;
  /** A job's directory as `createJob` made it; `workspace` in it is all that can be written to. */
  directory: string;
  command: string;
  environment: Record<string, string>;
  limits: Limits;
  /** The port that a server app is asked to listen on; null for a build. */
  port: number | null;
  /** Looks at what another run has left: it can change nothing in the workspace, and has no network. */
  isReadOnly?: boolean;
};

export type Exit = {
  code: number | null;
  /** What ended it, where it did not end by itself. */
  stoppedBy: 'time' | 'memory' | 'disk' | 'request' | null;
};

export type Place = { host: string; port: number } | { path: string };

export type Running = {
  /** Whoever starts a run reads both to their end: one that is not read holds the command up, and `ended` with it. */
  stdout: Readable;
  stderr: Readable;
  /** Never rejects, and only resolves once every process of the run is gone. */
  ended: Promise<Exit>;
  /** Asks nicely first where there is time for it; resolves once every process is gone. */
  stop(graceMs: number): Promise<void>;
  /** Where the app's port is reached from here; null for a build. */
  place: Place | null;
  /** Its processes as this machine numbers them; none where only an engine knows. */
  processes(): Promise<number[]>;
  /** For the head of its log: what its owner should know about where it runs. */
  notes: readonly string[];
};

export type DriverName = 'bubblewrap' | 'container' | 'process';

/** Which limits hold here, in words for an operator. */
export type Capabilities = {
  driver: DriverName | 'none';
  isolated: boolean;
  memory: string;
  processes: string;
  cpu: string;
  disk: string;
  file_size: string;
  network: string;
  /** Which system calls are refused. */
  seccomp: string;
  /** Whether a run can make namespaces in which it has more rights than it was given. */
  user_namespaces: string;
  /** Why no command can be run; null where it can. */
  problem: string | null;
  /** What commands have to do without, in words for an operator. */
  notes: readonly string[];
};

export type BuildDriver = {
  name: DriverName;
  probe(): Promise<Capabilities>;
  start(spec: SandboxSpec): Promise<Running>;
  /** Before a job's directory is removed: what the driver has of it elsewhere goes too. */
  release?(directory: string): Promise<void>;
};

export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}
