import type { MergeRequestVersion } from '@bottega/contract';
import { Alert, Button, Group, NativeSelect, Text } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { changesWords } from './changes.words.ts';
import type { Versions } from './diff-query.ts';

type Props = {
  all: readonly MergeRequestVersion[];
  versions: Versions;
  newest: number;
  show: (versions: { from: number | undefined; to: number | undefined }) => void;
};

/** Chooses the two versions to compare. */
export function VersionPicker({ all, versions: { from, to }, newest, show }: Props) {
  const words = useWords(changesWords);
  const named = (version: number) => (version === newest ? words.newest(version) : words.version(version));
  const numbers = all.map(({ version }) => version).toSorted((one, other) => other - one);
  const asOption = (version: number) => ({ value: String(version), label: named(version) });
  if (numbers.length < 2) return null;
  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      <Text size="sm" component="span" style={{ whiteSpace: 'nowrap' }}>
        {words.compareFrom}
      </Text>
      <NativeSelect
        size="xs"
        miw={0}
        aria-label={words.compareFrom}
        value={from === undefined ? '' : String(from)}
        onChange={({ currentTarget: { value } }) =>
          show({ from: value === '' ? undefined : Number(value), to: to === newest ? undefined : to })
        }
        data={[{ value: '', label: words.mergeBase }, ...numbers.filter((version) => version < to).map(asOption)]}
      />
      <NativeSelect
        size="xs"
        miw={0}
        aria-label={words.compareTo}
        value={String(to)}
        onChange={({ currentTarget: { value } }) => {
          const wanted = Number(value);
          show({
            from: from !== undefined && from < wanted ? from : undefined,
            to: wanted === newest ? undefined : wanted,
          });
        }}
        data={numbers.map(asOption)}
      />
    </Group>
  );
}

/** A notice that is shown while the user reads an older version. */
export function NewerVersion({ show }: { show: () => void }) {
  const words = useWords(changesWords);
  return (
    <Alert color="yellow" variant="light" py="xs" role="status">
      <Group gap="sm">
        <Text size="sm">{words.newVersion}</Text>
        <Button size="compact-xs" variant="default" onClick={show}>
          {words.showNewest}
        </Button>
      </Group>
    </Alert>
  );
}
