import type { WebhookFormat } from '@bottega/contract';
import { Checkbox, Input, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FieldGroup } from '../kit/form.tsx';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { type EventGroup, groupsOf, othersOf, withGroup, withName } from './event-names.ts';
import { formWords } from './form.words.ts';
import { eventTypesQuery } from './webhooks-query.ts';

type Props = {
  format: WebhookFormat;
  chosen: string[];
  change: (chosen: string[]) => void;
  error?: string | undefined;
};

/** The catalogue by group. A whole group is a wildcard: it includes events that are added to it later. */
export function EventPicker({ format, chosen, change, error }: Props) {
  const words = useWords(formWords);
  const { data: types, ...catalogue } = useQuery(eventTypesQuery);
  if (!types) return catalogue.error ? <Refusal error={catalogue.error} retry={catalogue.refetch} /> : <Loading />;
  const groups = groupsOf(types, format);
  const others = othersOf(chosen, groups);
  const isEverything = chosen.includes('*');
  return (
    <FieldGroup legend={words.events}>
      <Checkbox
        label={`${words.everything} (*)`}
        checked={isEverything}
        onChange={(event) => change(event.currentTarget.checked ? ['*'] : [])}
      />
      {!isEverything && (
        <div className="event-groups">
          {groups.map((group) => (
            <Group key={group.prefix} group={group} chosen={chosen} change={change} />
          ))}
        </div>
      )}
      {others.length > 0 && (
        <Stack gap={4}>
          <Text size="sm">{words.others}</Text>
          {others.map((name) => (
            <Checkbox key={name} label={name} checked onChange={() => change(withName(chosen, name, false))} />
          ))}
        </Stack>
      )}
      {!isEverything && (
        <Text size="xs" c="dimmed" role="status">
          {words.chosen(chosen.length)}
        </Text>
      )}
      {error && <Input.Error>{error}</Input.Error>}
    </FieldGroup>
  );
}

type GroupProps = { group: EventGroup; chosen: string[]; change: (chosen: string[]) => void };

function Group({ group, chosen, change }: GroupProps) {
  const words = useWords(formWords);
  const { prefix, events } = group;
  const isWhole = chosen.includes(`${prefix}.*`);
  const some = events.some(({ name }) => chosen.includes(name));
  return (
    <fieldset className="surface event-group" aria-label={prefix}>
      <Stack gap={6}>
        <Checkbox
          label={`${prefix}.*`}
          aria-label={words.allOf(prefix)}
          fw={600}
          checked={isWhole}
          indeterminate={!isWhole && some}
          onChange={(event) => change(withGroup(chosen, group, event.currentTarget.checked))}
        />
        {events.map(({ name, descriptions }) => (
          <Checkbox
            key={name}
            size="xs"
            ml="md"
            label={name}
            description={<span lang="en">{descriptions.join('; ')}</span>}
            checked={isWhole || chosen.includes(name)}
            disabled={isWhole}
            onChange={(event) => change(withName(chosen, name, event.currentTarget.checked))}
          />
        ))}
      </Stack>
    </fieldset>
  );
}
