import { gotoLine } from '@codemirror/search';
import { UnstyledButton } from '@mantine/core';
import { IconGitBranch, IconTerminal2, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Place } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { languageOf } from '../kit/code-language.ts';
import { useCursorPlace } from '../kit/cursor-place.ts';
import type { Live } from '../live/use-live.ts';
import { runWords } from '../run/run.words.ts';
import type { Run } from '../run/run-button.tsx';
import { workspaceOn, workspacesQuery } from '../run/workspaces-query.ts';
import { useWords } from '../words/words.tsx';
import { statusWords } from './status.words.ts';

type Props = { place: Place; path: string | undefined; live: Live | null; run: Run | null };

/** A line below the editor. A phone has no room for it. */
export default function StatusBar({ place, path, live, run }: Props) {
  const words = useWords(statusWords);
  return (
    <section className="status-bar" aria-label={words.title}>
      <span className="cut-end">
        <IconGitBranch size={13} aria-hidden /> {place.branch ?? 'main'}
      </span>
      {run && <WorkspaceState place={place} run={run} />}
      {live && <LivePeople live={live} />}
      {path !== undefined && <CursorState path={path} />}
    </section>
  );
}

function WorkspaceState({ place: { projectId, branch = 'main' }, run }: { place: Place; run: Run }) {
  const words = useWords(statusWords);
  const states = useWords(runWords);
  const { user } = useSignedIn();
  const { data = [] } = useQuery(workspacesQuery(projectId));
  const workspace = workspaceOn(data, branch, user.id);
  if (!workspace) return null;
  return (
    <UnstyledButton onClick={run.toggle} aria-pressed={run.isShown}>
      <IconTerminal2 size={13} aria-hidden /> {words.workspace(states[workspace.status])}
    </UnstyledButton>
  );
}

function LivePeople({ live }: { live: Live }) {
  const words = useWords(statusWords);
  const present = live.participants.filter(({ status }) => !/left|removed/.test(status));
  return (
    <span title={present.map(({ name }) => name).join(', ')}>
      <IconUsersGroup size={13} aria-hidden /> {words.live(Math.max(present.length, 1))}
    </span>
  );
}

/** The position of the cursor and the size of the selection. Shows nothing for a file that is not shown as text. */
function CursorState({ path }: { path: string }) {
  const words = useWords(statusWords);
  const place = useCursorPlace(path);
  if (!place) return null;
  return (
    <>
      <UnstyledButton title={words.goTo} onClick={() => gotoLine(place.view)}>
        {words.at(place.line, place.column)} {place.selected > 0 && words.selected(place.selected)}
      </UnstyledButton>
      <span>{languageOf(path) ?? words.plain}</span>
    </>
  );
}
