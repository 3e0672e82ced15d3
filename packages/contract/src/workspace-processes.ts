import { type Static, Type } from 'typebox';
import { named, strict, Timestamp } from './primitives.ts';

/** A single process gets no other signal. */
const processSignals = ['SIGTERM', 'SIGKILL'] as const;

export const WorkspaceProcess = named('WorkspaceProcess', {
  pid: Type.Integer({ description: 'Number of the process inside the workspace' }),
  command: Type.String({ description: 'The beginning of the command line, at most 500 characters' }),
  memory: Type.Integer({ description: 'Resident memory, in bytes' }),
  cpu_seconds: Type.Number({ description: 'CPU time that the process has used, in seconds' }),
  started_at: Timestamp,
});
export type WorkspaceProcess = Static<typeof WorkspaceProcess>;

export const WorkspaceProcessList = Type.Object({ data: Type.Array(WorkspaceProcess) });

export const ProcessSignal = strict({
  signal: Type.Optional(
    Type.Enum(processSignals, {
      default: 'SIGTERM',
      description: '`SIGTERM` asks the process to end. `SIGKILL` ends it at once.',
    }),
  ),
});
