import type { Workspace, WorkspaceAgent } from '@bottega/contract';
import { Group, Text } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { Marks } from '../kit/marks.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { agentWords } from './agents.words.ts';
import { agentsQuery, commandsQuery, whichOf } from './workspaces-query.ts';

type Props = {
  workspace: Workspace;
  canWrite: boolean;
  /** Shows the output of a command. */
  watch: (commandId: string) => void;
  /** Opens a terminal in a directory. */
  takeOver: (directory: string) => void;
};

/** The agents that work in the workspace: one line for each, above all tabs. */
export function AgentsStrip({ workspace, ...actions }: Props) {
  const words = useWords(agentWords);
  const { data = [] } = useQuery(agentsQuery(workspace));
  if (data.length === 0) return null;
  return (
    <ul className="run-agents rows" aria-label={words.agents}>
      {data.map((agent) => (
        <Agent key={agent.id} {...{ workspace, agent, ...actions }} />
      ))}
    </ul>
  );
}

function Agent({ workspace, agent, canWrite, watch, takeOver }: Props & { agent: WorkspaceAgent }) {
  const words = useWords(agentWords);
  const [command] = agent.commands;
  return (
    <li className="run-agent">
      <Group className="run-agent-who" gap={6} wrap="nowrap">
        <Name agent={agent} />
        <Doing agent={agent} />
      </Group>
      <Group gap={6} wrap="nowrap">
        {command && <RowButton label={words.watch} of={agent.name} onClick={() => watch(command.id)} />}
        {command && canWrite && (
          <RowButton
            label={words.takeOver}
            of={agent.name}
            title={words.takeOverHint}
            onClick={() => takeOver(command.cwd)}
          />
        )}
        {canWrite && <Stop {...{ workspace, agent }} />}
      </Group>
    </li>
  );
}

/** The name of an agent, and a mark that it is an agent. */
export function Name({ agent: { name } }: { agent: WorkspaceAgent }) {
  const words = useWords(agentWords);
  return (
    <Group gap={6} wrap="nowrap" maw="100%" style={{ flex: 'none' }}>
      <IconRobot size={15} aria-hidden style={{ flex: 'none' }} />
      <Text size="xs" fw={600} truncate maw={180}>
        {name}
      </Text>
      <Marks marks={[words.agent]} />
    </Group>
  );
}

/** What an agent is doing now. */
export function Doing({ agent: { status, commands } }: { agent: WorkspaceAgent }) {
  const words = useWords(agentWords);
  const [command] = commands;
  const does = status === 'stopped' ? words.stopped : command ? words.runs(firstLine(command.command)) : words.idle;
  return (
    <Text size="xs" c="dimmed" truncate title={command?.command}>
      {does}
    </Text>
  );
}

const firstLine = (command: string): string => command.trim().split('\n')[0] ?? '';

function Stop({ workspace, agent }: { workspace: Workspace; agent: WorkspaceAgent }) {
  const words = useWords(agentWords);
  const client = useQueryClient();
  const isStopped = agent.status === 'stopped';
  const change = useMutation({
    mutationFn: () => {
      const params = { ...whichOf(workspace), agent_id: agent.id };
      return isStopped
        ? call('POST /projects/{project_id}/workspaces/{workspace_id}/agents/{agent_id}/resume', { params })
        : call('POST /projects/{project_id}/workspaces/{workspace_id}/agents/{agent_id}/stop', { params });
    },
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: agentsQuery(workspace).queryKey });
      await client.invalidateQueries({ queryKey: commandsQuery(workspace).queryKey });
    },
    onError: toastRefusal,
  });
  return (
    <RowButton
      label={isStopped ? words.resume : words.stop}
      of={agent.name}
      {...(!isStopped && { title: words.stopHint })}
      loading={change.isPending}
      onClick={() => change.mutate()}
    />
  );
}
