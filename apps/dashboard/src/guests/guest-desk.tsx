import '../editor/code.css';
import '../kit/code-colours.css';
import '../live/live.css';
import { Anchor, Box, Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { NoFileOpen } from '../editor/no-file-open.tsx';
import { SideButton, SidePane, useSide } from '../editor/side.tsx';
import { FileTree } from '../editor/tree-of-files.tsx';
import { DeadEnd } from '../kit/error-screen.tsx';
import { useTitle } from '../kit/page.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import type { EditorHandle } from '../live/editor-handle.ts';
import { leaveSession, sessionFilesQuery } from '../live/live-api.ts';
import LivePanel from '../live/live-panel.tsx';
import { LiveNotices } from '../live/live-status.tsx';
import LiveTab from '../live/live-tab.tsx';
import { type Live, useLive } from '../live/use-live.ts';
import { useWords } from '../words/words.tsx';
import { joinWords } from './join.words.ts';

const route = getRouteApi('/inside/join/$sessionId');

/** The workbench for a guest, who has no access to the project. The session decides which files can be opened. */
export default function GuestDesk({ sessionId }: { sessionId: string }) {
  const words = useWords(joinWords);
  const { path } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const side = useSide(path);
  const open = (wanted: string | undefined) => {
    side.hide();
    void navigate({ search: { guest: true, path: wanted } });
  };
  const live = useLive(sessionId, {
    operated: ({ operation, file_path: from, new_path: to }) => {
      void client.invalidateQueries({ queryKey: sessionFilesQuery(sessionId).queryKey });
      if (from === path && operation !== 'create') open(operation === 'rename' ? to : undefined);
    },
    saved: ({ seq }) => seq !== undefined && toast(words.saved),
  });
  const handle = useRef<EditorHandle | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [asked, setAsked] = useState(0);
  useTitle(live?.session?.name ?? words.title);
  const followed = live?.following ? live.state.places[live.following]?.path : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the followed user goes elsewhere
  useEffect(() => {
    if (followed !== undefined && followed !== path) open(followed);
  }, [followed]);
  const { data: files = [] } = useQuery({ ...sessionFilesQuery(sessionId), enabled: live?.session !== undefined });
  if (!live) return null;
  const leave = () => void leaveSession(sessionId).then(() => navigate({ to: '/projects' }), toastRefusal);
  if (live.error) {
    return (
      <Box p="lg">
        <DeadEnd title={words.over} hint={words.overHint} />
      </Box>
    );
  }
  const tree = (
    <SidePane side={side}>
      <FileTree files={files} current={path} open={open} />
    </SidePane>
  );
  return (
    <Box className="workbench" data-live>
      {!side.isInPlace && tree}
      <Box className="desk">
        <OpenByPath live={live} open={open} sideButton={<SideButton side={side} />} />
        <LiveNotices live={live} leave={leave} />
        {side.isInPlace && tree}
        {path === undefined && !side.isInPlace && <NoFileOpen title={words.noFile} hint={words.noFileHint} />}
        {path !== undefined && (
          <LiveTab
            key={path}
            live={live}
            path={path}
            isShown
            isFocused
            line={undefined}
            handle={handle}
            choose={setChosen}
            comment={() => setAsked((times) => times + 1)}
          />
        )}
      </Box>
      <LivePanel live={live} path={path} handle={handle} chosen={chosen} asked={asked} leave={leave} />
    </Box>
  );
}

type OpenProps = { live: Live; open: (path: string) => void; sideButton: ReactNode };

function OpenByPath({ live, open, sideButton }: OpenProps) {
  const words = useWords(joinWords);
  const [typed, setTyped] = useState('');
  const places = [...new Set(Object.values(live.state.places).map(({ path }) => path))].toSorted();
  return (
    <Box px="md" py="sm" style={{ borderBottom: '1px solid var(--surface-line)' }}>
      <Text component="h1" size="sm" c="dimmed" fw={400} m={0} mb={6}>
        {words.guest}
      </Text>
      <Group
        component="form"
        gap="xs"
        onSubmit={(event: React.FormEvent) => {
          event.preventDefault();
          open(typed.startsWith('/') ? typed : `/${typed}`);
        }}
      >
        {sideButton}
        <TextInput
          size="xs"
          aria-label={words.file}
          placeholder="/README.md"
          required
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="default">
          {words.open}
        </Button>
        {places.length > 0 && (
          <Group gap="xs" role="group" aria-label={words.where}>
            {places.map((path) => (
              <Anchor key={path} component="button" type="button" size="sm" onClick={() => open(path)}>
                {path}
              </Anchor>
            ))}
          </Group>
        )}
      </Group>
    </Box>
  );
}
