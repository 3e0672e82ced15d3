import { NativeSelect, TextInput } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { kitWords } from './kit.words.ts';

type SelectProps<Value extends string> = {
  label: string;
  value: Value | undefined;
  /** The label of each value, in the order of the options. */
  options: Record<Value, string>;
  change: (value: Value | undefined) => void;
  /** The label for no choice. */
  any?: string;
  /** Whether the label is shown, like those of the fields next to it. */
  isNamed?: boolean;
  maw?: number;
};

/** Filters or sorts a list. Without `any`, the first option is the default of the URL. */
export function FilterSelect<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, change, any, isNamed = false, maw } = props;
  const names = Object.keys(options) as Value[];
  const standard = any === undefined ? names[0] : '';
  return (
    <NativeSelect
      {...(isNamed ? { label } : { 'aria-label': label })}
      {...(maw !== undefined && { maw })}
      value={value ?? standard}
      onChange={({ currentTarget: { value: chosen } }) =>
        change(chosen === standard ? undefined : names.find((name) => name === chosen))
      }
      data={[
        ...(any === undefined ? [] : [{ value: '', label: any }]),
        ...names.map((name) => ({ value: name, label: options[name] })),
      ]}
    />
  );
}

type Range = { from?: string | undefined; to?: string | undefined };

/** A period between two days. Either day may be left empty. */
export function DateRange({ from, to, change }: Range & { change: (part: Range) => void }) {
  const words = useWords(kitWords);
  const day = (
    name: keyof Range,
    value: string | undefined,
    bounds: { min?: string | undefined; max?: string | undefined },
  ) => (
    <TextInput
      label={words[name]}
      type="date"
      value={value ?? ''}
      {...bounds}
      onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <>
      {day('from', from, { max: to })}
      {day('to', to, { min: from })}
    </>
  );
}
