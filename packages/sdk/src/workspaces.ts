import { abortedBy } from './attempt.ts';
import { BottegaError } from './errors.ts';
import { follow } from './following.ts';
import type { WorkspacesResource } from './generated/resources.ts';
import type { WorkspaceCommand, WorkspacePort } from './generated/types.ts';
import { pathOf, queryText } from './operation.ts';
import type { CallOptions } from './options.ts';
import { sleep } from './retries.ts';
import type { Transport } from './transport.ts';

/** A workspace, or only its ids. */
export type WorkspaceIds = { project_id: string; id: string };

export type OutputPiece = { stream: 'stdout' | 'stderr'; text: string };

export interface Workspaces extends WorkspacesResource {
  /**
   * The output of a command, piece by piece as it is written, until the command has ended. If the connection is lost,
   * the next one continues after the last piece. The generator returns the command, with its exit code.
   */
  followOutput(
    workspace: WorkspaceIds,
    commandId: string,
    options?: CallOptions & {
      /** `position` of a piece: returns only later output. */
      after?: number | undefined;
    },
  ): AsyncGenerator<OutputPiece, WorkspaceCommand>;
  /** Waits until a program in the workspace listens on the port. A signal limits the wait. */
  waitForPort(workspace: WorkspaceIds, port: number, options?: CallOptions): Promise<WorkspacePort>;
}

const pauseMs = 500;

export function withOutput(transport: Transport, workspaces: WorkspacesResource): Workspaces {
  return {
    ...workspaces,
    followOutput: (workspace, commandId, { after = 0, ...options } = {}) =>
      followOutput(transport, { workspace, commandId, after }, options),
    async waitForPort({ project_id, id }, port, options = {}) {
      for (;;) {
        const { data } = await workspaces.ports(project_id, id, options);
        const found = data.find((one) => one.port === port && one.listening);
        if (found) return found;
        await sleep(pauseMs, options.signal).catch(() => {
          throw abortedBy(options.signal as AbortSignal);
        });
      }
    },
  };
}

type Followed = { workspace: WorkspaceIds; commandId: string; after: number };

async function* followOutput(
  transport: Transport,
  { workspace, commandId, after }: Followed,
  options: CallOptions,
): AsyncGenerator<OutputPiece, WorkspaceCommand> {
  const address = 'GET /projects/{project_id}/workspaces/{workspace_id}/commands/{command_id}/output';
  const { path } = pathOf(address, [workspace.project_id, workspace.id, commandId]);
  for await (const { event, data } of follow(transport, { path: path + queryText({ after }), options })) {
    if (event === 'end') return JSON.parse(data) as WorkspaceCommand;
    if (event === 'output') yield JSON.parse(data) as OutputPiece;
  }
  throw new BottegaError('The event stream has no end', { code: 'UNEXPECTED_ANSWER' });
}
