import { Box, Button, Checkbox, Drawer, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Diff } from '../diff/diff.tsx';
import { confirm } from '../kit/confirm.tsx';
import { Form } from '../kit/form.tsx';
import { Problem, Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { changeWords } from './changes.words.ts';
import type { Tab } from './tabs.ts';
import { unifiedDiff } from './unified-diff.ts';
import { staleIn, type useCommitting } from './use-committing.ts';

type Props = {
  tabs: Tab[];
  committing: ReturnType<typeof useCommitting>;
  open: (path: string) => void;
  discard: (tab: Tab) => void;
  close: () => void;
};

/** Longest text that is compared, in characters. Comparing a longer one would block the page. */
const longestCompared = 400_000;

/** Shows all unsaved changes, to review and commit them with one message. */
export default function ChangesDrawer({ tabs, committing, open, discard, close }: Props) {
  const words = useWords(changeWords);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState<string | null>(null);
  const included = tabs.filter(({ path }) => !left.has(path));
  const message = typed ?? messageFor(included);
  const stale = staleIn(committing.error);
  const toggle = (path: string) => setLeft((now) => new Set([path]).symmetricDifference(now));
  return (
    <Drawer opened onClose={close} title={words.title} position="right" size="lg">
      <Stack>
        {tabs.length === 0 && <Text c="dimmed">{words.none}</Text>}
        {tabs.map((tab) => (
          <ChangedFile
            key={tab.path}
            tab={tab}
            isIncluded={!left.has(tab.path)}
            toggle={() => toggle(tab.path)}
            open={() => {
              close();
              open(tab.path);
            }}
            discard={() => discard(tab)}
          />
        ))}
        {stale === null ? <Refusal error={committing.error} /> : <Problem title={words.stale(stale)} />}
        {tabs.length > 0 && (
          <Form submit={() => committing.mutate({ tabs: included, message: message.trim() }, { onSuccess: close })}>
            <TextInput
              label={words.message}
              description={words.messageHint}
              value={message}
              onChange={(event) => setTyped(event.currentTarget.value)}
              required
              maxLength={500}
              data-autofocus
            />
            <Group justify="flex-end">
              <Button type="submit" disabled={included.length === 0} loading={committing.isPending}>
                {words.commit(included.length)}
              </Button>
            </Group>
          </Form>
        )}
      </Stack>
    </Drawer>
  );
}

/** The default commit message. It is in English, like the messages that the service itself writes. */
function messageFor(tabs: Tab[]): string {
  const names = tabs.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  return names.length <= 3 ? `Update ${names.join(', ')}` : `Update ${names.length} files`;
}

type FileProps = { tab: Tab; isIncluded: boolean; toggle: () => void; open: () => void; discard: () => void };

function ChangedFile({ tab: { path, stored, draft }, isIncluded, toggle, open, discard }: FileProps) {
  const words = useWords(changeWords);
  const isLong = stored.length + draft.length > longestCompared;
  const diff = useMemo(() => (isLong ? '' : unifiedDiff(stored, draft)), [isLong, stored, draft]);
  const ask = async () => {
    if (await confirm({ title: words.discardTitle(path), yes: words.discard, isDangerous: true })) discard();
  };
  return (
    <Box className="surface" component="section" aria-label={path}>
      <Group px="sm" py={6} gap="xs" wrap="nowrap" style={{ borderBottom: '1px solid var(--surface-line)' }}>
        <Checkbox size="xs" checked={isIncluded} onChange={toggle} aria-label={words.include(path)} />
        <Button variant="subtle" size="compact-sm" onClick={open} style={{ minWidth: 0 }} title={path}>
          {path.slice(1)}
        </Button>
        <Button size="compact-xs" variant="default" ml="auto" style={{ flexShrink: 0 }} onClick={() => void ask()}>
          {words.discard}
        </Button>
      </Group>
      {isLong ? (
        <Text size="sm" c="dimmed" p="sm">
          {words.tooLong}
        </Text>
      ) : (
        <Diff diff={diff} path={path} label={words.diffOf(path)} />
      )}
    </Box>
  );
}
