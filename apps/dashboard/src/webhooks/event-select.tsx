import type { WebhookFormat } from '@bottega/contract';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { eventTypesQuery } from './webhooks-query.ts';

type Props = {
  label: string;
  /** The label for no choice. */
  all: string;
  format: WebhookFormat;
  value: string;
  change: (value: string) => void;
};

/** All names in the catalogue. Those of the webhook's own format come first. The name in the URL is included. */
export function EventSelect({ label, all, format, value, change }: Props) {
  const { data: types = [] } = useQuery(eventTypesQuery);
  const own = types.map((type) => type.formats[format].name);
  const others = types.flatMap(({ names }) => Object.values(names)).filter((name) => name !== null);
  const data = [...new Set([...own, ...others, ...(value === '' ? [] : [value])])];
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      data={[{ value: '', label: all }, ...data.map((name) => ({ value: name, label: name }))]}
    />
  );
}
