import { useEffect, useRef } from 'react';
import { linkTo } from '../api/client.ts';
import { openScreen } from './screen.ts';
import type { Which } from './workspaces-query.ts';

type Props = { which: Which; id: string; label: string; ended: () => void };

/**
 * Shows the output of a command on a screen that supports colours and progress bars. The output arrives as server-sent
 * events. The browser itself reopens a broken stream, and sends the position that it has reached.
 */
export function CommandOutput({ which: { project_id, workspace_id }, id, label, ended }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ label, ended });
  latest.current.ended = ended;
  useEffect(() => {
    if (!host.current) return;
    const screen = openScreen(host.current, { label: latest.current.label, isReadOnly: true, isPlain: true });
    const events = new EventSource(
      linkTo('GET /projects/{project_id}/workspaces/{workspace_id}/commands/{command_id}/output', {
        params: { project_id, workspace_id, command_id: id },
      }),
    );
    events.addEventListener('output', ({ data }: MessageEvent<string>) => {
      screen.terminal.write((JSON.parse(data) as { text: string }).text);
    });
    events.addEventListener('end', () => {
      events.close();
      latest.current.ended();
    });
    return () => {
      events.close();
      screen.close();
    };
  }, [project_id, workspace_id, id]);
  return <div ref={host} className="run-screen" />;
}
