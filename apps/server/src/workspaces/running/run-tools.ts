import type { Plan } from '@bottega/contract';
import type { SendDiskChange } from '../../collaboration/sockets/index.ts';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { GitStreams } from '../../repository/smart-http/index.ts';
import type { FileWrites } from '../../repository/store/index.ts';
import type { InstalledLanguages } from '../languages/index.ts';
import type { LayerTools } from '../layers/index.ts';
import type { Door } from '../links/index.ts';
import type { WorkspaceDisk } from './disk.ts';
import type { GitSource } from './git-layer.ts';
import type { PlanRules } from './given-to-run.ts';

/** What a worker needs to run workspaces. */
export type RunTools = LayerTools &
  PlanRules & {
    writes: FileWrites;
    disk: WorkspaceDisk;
    door: Door;
    host: string;
    languages: InstalledLanguages;
    box: SecretBox;
    idleSeconds: number;
    /** Maximum number of hours for which workspaces of one account can run in a month. */
    hours: Record<Plan, number | null>;
    sendDiskChange: SendDiskChange;
    repository: Omit<GitSource, 'db'>;
    gitStreams: GitStreams;
    portUrl(workspaceId: string, port: number): string;
    changed(workspaceId: string): void;
  };
