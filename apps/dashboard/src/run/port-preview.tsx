import type { Workspace } from '@bottega/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../api/client.ts';
import type { Place } from '../api/project.ts';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { Nothing } from './middle.tsx';
import { NotRunning } from './not-running.tsx';
import { runWords } from './run.words.ts';
import { useWorkspace } from './use-workspace.ts';
import { portsQuery, whichOf } from './workspaces-query.ts';

type Props = { place: Place; port: number; canWrite: boolean; round: number };

/**
 * Shows a port of the branch's workspace in a frame. The frame exists only while the workspace runs, because it would
 * wake a sleeping one.
 */
export function PortPreview({ place, port, canWrite, round }: Props) {
  const running = useWorkspace(place);
  const { workspace } = running;
  if (workspace?.status !== 'running') return <NotRunning branch={place.branch ?? 'main'} {...{ running, canWrite }} />;
  return <Frame key={`${workspace.started_at} ${port}`} {...{ workspace, port, round }} />;
}

type FrameProps = { workspace: Workspace; port: number; round: number };

function Frame({ workspace, port, round }: FrameProps) {
  const words = useWords(runWords);
  const { data: ports } = useQuery(portsQuery(workspace));
  const wasOpen = useRef(false);
  if (ports?.some((one) => one.port === port && one.listening)) wasOpen.current = true;
  const { data, error, refetch } = useQuery({
    enabled: wasOpen.current,
    queryKey: ['port-ticket', workspace.id, workspace.started_at, port, round],
    queryFn: () =>
      call('POST /projects/{project_id}/workspaces/{workspace_id}/ports/{port}/tickets', {
        params: { ...whichOf(workspace), port: String(port) },
        body: {},
      }),
    // The URL is requested only once, because another URL would load the page again.
    staleTime: 'static',
    gcTime: 0,
  });
  if (!wasOpen.current) return <Nothing title={words.notYet(port)} hint={words.notYetHint} />;
  if (!data) return <Refusal error={error} retry={refetch} />;
  return (
    // The frame has another origin than this page, so it has no rights here.
    <iframe
      key={data.url}
      className="preview-frame"
      src={data.url}
      sandbox="allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-downloads"
      title={words.frame(port)}
    />
  );
}
