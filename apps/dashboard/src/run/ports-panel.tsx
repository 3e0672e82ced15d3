import type { PortVisibility, Workspace, WorkspacePort } from '@bottega/contract';
import { ActionIcon, Anchor, Button, CopyButton, Group, NativeSelect, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconEye } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useSignedIn } from '../api/session.ts';
import { Loading } from '../kit/loading.tsx';
import { toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { Nothing } from './middle.tsx';
import { runWords } from './run.words.ts';
import { portsQuery, whichOf } from './workspaces-query.ts';

type Props = {
  workspace: Workspace;
  ports: readonly WorkspacePort[] | undefined;
  canWrite: boolean;
  preview: (port: number) => void;
};

/** Every port on which a program listens, with its address. */
export function PortsPanel({ workspace, ports, canWrite, preview }: Props) {
  const words = useWords(runWords);
  if (!ports) return <Loading lines={3} />;
  if (ports.length === 0) return <Nothing title={words.noPorts} hint={words.noPortsHint} />;
  return (
    <ul className="run-ports rows" aria-label={words.ports}>
      {ports.map((port) => (
        <Port key={port.port} {...{ workspace, port, canWrite, preview }} />
      ))}
    </ul>
  );
}

type PortProps = Omit<Props, 'ports'> & { port: WorkspacePort };

function Port({ workspace, port: { port, label, url, visibility, listening }, canWrite, preview }: PortProps) {
  const words = useWords(runWords);
  const client = useQueryClient();
  const { user } = useSignedIn();
  const change = useMutation({
    mutationFn: (wanted: PortVisibility) =>
      call('PATCH /projects/{project_id}/workspaces/{workspace_id}/ports/{port}', {
        params: { ...whichOf(workspace), port: String(port) },
        body: { visibility: wanted },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: portsQuery(workspace).queryKey }),
    onError: toastRefusal,
  });
  return (
    <li className="run-port">
      <div className="run-port-name">
        <Group gap={6} wrap="nowrap">
          <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
            {label ?? words.port(port)}
          </Text>
          {!listening && (
            <Text size="xs" c="dimmed">
              {words.closed}
            </Text>
          )}
        </Group>
        <Group gap={4} wrap="nowrap">
          <Anchor size="xs" href={url} target="_blank" rel="noreferrer" className="cut-end">
            {url}
          </Anchor>
          <CopyButton value={url}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? words.copied : words.copy}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  onClick={copy}
                  aria-label={`${words.copy}: ${words.address(port)}`}
                >
                  {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
                </ActionIcon>
              </Tooltip>
            )}
          </CopyButton>
        </Group>
      </div>
      <NativeSelect
        size="xs"
        aria-label={words.visibility(port)}
        value={change.isPending ? change.variables : visibility}
        disabled={!canWrite}
        onChange={(event) => change.mutate(event.currentTarget.value as PortVisibility)}
        data={(['owner', 'members', 'public'] as const).map((value) => ({ value, label: words[value] }))}
      />
      {(visibility !== 'owner' || workspace.created_by === user.id) && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconEye size={14} aria-hidden />}
          onClick={() => preview(port)}
        >
          {words.preview}
        </Button>
      )}
    </li>
  );
}
