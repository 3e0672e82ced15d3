import type { Deployment, LogEntry } from '@bottega/contract';
import {
  ActionIcon,
  Box,
  Button,
  Group,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
  Tooltip,
} from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import {
  IconArrowDown,
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconCopy,
  IconDownload,
  IconRefresh,
  IconSearch,
} from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { withoutEscapes } from './ansi.ts';
import { deploymentWords } from './deployment.words.ts';
import { LogWindow } from './log-window.tsx';
import type { Log, LogLine } from './use-log.ts';

type Level = 'all' | 'warn' | 'error';
/** Maximum number of shown lines. With more, the page would reach the browser's limit of height. */
const maxShown = 400_000;

type Source = LogEntry['source'];
type Props = {
  log: Log;
  name: string;
  line: number | undefined;
  source?: Source;
  /** Absent if there is only one log, as that of a static site or of a check. */
  choose?: ((source: Source) => void) | undefined;
  app?: Deployment['app'];
};

export function LogPanel({ log, name, line, source = 'build', choose, app = null }: Props) {
  const words = useWords(deploymentWords);
  const [level, setLevel] = useState<Level>('all');
  const [wanted, setWanted] = useState('');
  const [hit, setHit] = useState(0);
  const [follows, setFollows] = useState(line === undefined);
  const lines = useMemo(() => ofLevel(log.lines, level), [log.lines, level]);
  const hits = useMemo(() => hitsOf(lines, wanted), [lines, wanted]);
  const at = hits.length === 0 ? -1 : ((hit % hits.length) + hits.length) % hits.length;
  const turnTo = (next: number) => {
    setHit(next);
    setFollows(false);
  };
  return (
    <Stack gap="xs" component="section" aria-label={words.log}>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <Title order={2}>{words.log}</Title>
          {choose && <SourceControl source={source} choose={choose} />}
          <Text size="xs" c="dimmed" role="status">
            {source === 'runtime' && app && `${words.appState(app.status, app.restarts)} · `}
            {words[log.state]} · {words.lines(log.lines.length)}
          </Text>
        </Group>
        <Tools log={log} name={name} />
      </Group>
      <Group gap="xs">
        <SearchField
          wanted={wanted}
          seek={(next) => {
            setWanted(next);
            turnTo(0);
          }}
          count={hits.length}
          at={at + 1}
          step={(by) => turnTo(at + by)}
        />
        <SegmentedControl
          size="xs"
          aria-label={words.level}
          value={level}
          onChange={(value) => setLevel(value as Level)}
          data={(['all', 'warn', 'error'] as const).map((value) => ({ value, label: words[value] }))}
        />
      </Group>
      <Box pos="relative" className="surface">
        <LogWindow
          lines={lines}
          wanted={wanted}
          here={at >= 0 ? (hits[at] ?? null) : (line ?? null)}
          follows={follows}
          setFollows={setFollows}
        />
        {lines.length === 0 && <NoLines isFiltered={log.lines.length > 0} hasNoApp={source === 'runtime' && !app} />}
        {!follows && lines.length > 0 && (
          <Button
            size="compact-sm"
            leftSection={<IconArrowDown size={14} />}
            onClick={() => setFollows(true)}
            style={{ position: 'absolute', insetBlockEnd: 14, insetInlineEnd: 18 }}
          >
            {words.toEnd}
          </Button>
        )}
      </Box>
      {lines.length === maxShown && (
        <Text size="xs" c="dimmed">
          {words.cut(maxShown)}
        </Text>
      )}
    </Stack>
  );
}

function SourceControl({ source, choose }: { source: Source; choose: (source: Source) => void }) {
  const words = useWords(deploymentWords);
  return (
    <SegmentedControl
      size="xs"
      aria-label={words.logOf}
      value={source}
      onChange={(value) => choose(value as Source)}
      data={(['build', 'runtime'] as const).map((value) => ({ value, label: words[`${value}Log`] }))}
    />
  );
}

function NoLines({ isFiltered, hasNoApp }: { isFiltered: boolean; hasNoApp: boolean }) {
  const words = useWords(deploymentWords);
  return (
    <Stack pos="absolute" top={24} left={0} right={0} align="center" gap={4} px="md" ta="center">
      <Text size="sm" fw={600}>
        {isFiltered ? words.noneOfLevel : words.logEmpty}
      </Text>
      {!isFiltered && (
        <Text size="sm" c="dimmed">
          {hasNoApp ? words.noAppHint : words.logEmptyHint}
        </Text>
      )}
    </Stack>
  );
}

type Search = { wanted: string; seek: (wanted: string) => void; count: number; at: number; step: (by: number) => void };

function SearchField({ wanted, seek, count, at, step }: Search) {
  const words = useWords(deploymentWords);
  return (
    <Group gap={4} style={{ flex: '1 1 240px' }} wrap="nowrap">
      <TextInput
        size="xs"
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<IconSearch size={14} />}
        value={wanted}
        onChange={(event) => seek(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          if (event.key === 'Escape') seek('');
        }}
        style={{ flex: 1 }}
        maxLength={200}
      />
      {wanted !== '' && (
        <>
          <Text size="xs" role="status" style={{ whiteSpace: 'nowrap' }}>
            {words.hits(at, count)}
          </Text>
          <ActionIcon variant="default" disabled={count === 0} onClick={() => step(-1)} aria-label={words.previousHit}>
            <IconChevronUp size={16} />
          </ActionIcon>
          <ActionIcon variant="default" disabled={count === 0} onClick={() => step(1)} aria-label={words.nextHit}>
            <IconChevronDown size={16} />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}

function Tools({ log, name }: { log: Log; name: string }) {
  const words = useWords(deploymentWords);
  const clipboard = useClipboard({ timeout: 1500 });
  const tool = (label: string, icon: ReactNode, act: () => void) => (
    <Tooltip label={label}>
      <ActionIcon variant="default" onClick={act} aria-label={label}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <Group gap={4}>
      {log.state === 'complete' && tool(words.readOn, <IconRefresh size={16} />, log.readOn)}
      {tool(
        clipboard.copied ? words.copied : words.copy,
        clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />,
        () => clipboard.copy(textOf(log.lines)),
      )}
      {tool(words.download, <IconDownload size={16} />, () => save(`${name}.log`, textOf(log.lines, true)))}
    </Group>
  );
}

const ofLevel = (lines: LogLine[], level: Level): LogLine[] => {
  const own = level === 'all' ? lines : lines.filter((one) => one.level === 'error' || one.level === level);
  return own.length > maxShown ? own.slice(-maxShown) : own;
};

/** The numbers of the matching lines. */
function hitsOf(lines: LogLine[], wanted: string): number[] {
  if (wanted === '') return [];
  const lower = wanted.toLowerCase();
  return lines.filter(({ message }) => withoutEscapes(message).toLowerCase().includes(lower)).map(({ seq }) => seq);
}

const textOf = (lines: LogEntry[], withTimes = false): string =>
  lines.map(({ timestamp, message }) => `${withTimes ? `${timestamp} ` : ''}${withoutEscapes(message)}\n`).join('');

function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
