import type { Plan } from '@bottega/contract';
import type { SendDiskChange } from '../../collaboration/sockets/index.ts';
import type { AgentFiles, Limits, Sandbox } from '../../deployments/index.ts';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { GitStreams } from '../../repository/smart-http/index.ts';
import type { FileWrites } from '../../repository/store/index.ts';
import type { Door } from '../links/index.ts';
import type { WorkspaceDisk } from './disk.ts';
import type { GitSource } from './git-layer.ts';

/** What a worker needs to run workspaces. */
export type RunTools = {
  db: Db;
  writes: FileWrites;
  sandbox: Sandbox;
  disk: WorkspaceDisk;
  door: Door;
  host: string;
  agent(): AgentFiles;
  box: SecretBox;
  limits: Omit<Limits, 'seconds'>;
  fileLimit: number;
  idleSeconds: number;
  /** Maximum number of hours for which workspaces of one account can run in a month. */
  hours: Record<Plan, number | null>;
  sendDiskChange: SendDiskChange;
  repository: Omit<GitSource, 'db'>;
  gitStreams: GitStreams;
  portUrl(workspaceId: string, port: number): string;
  changed(workspaceId: string): void;
  onError(error: unknown, what: string): void;
};
