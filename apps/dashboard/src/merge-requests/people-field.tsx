import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import type { Member } from './members.ts';

type Props = Pick<MultiSelectProps, 'label' | 'description' | 'aria-label' | 'placeholder'> & {
  members: readonly Member[];
  value: string[];
  change: (ids: string[]) => void;
};

/** Members of a project, chosen by name. */
export function PeopleField({ members, value, change, ...field }: Props) {
  return (
    <MultiSelect
      {...field}
      searchable
      hidePickedOptions
      comboboxProps={{ withinPortal: false }}
      limit={50}
      maxValues={50}
      data={members.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={change}
    />
  );
}
