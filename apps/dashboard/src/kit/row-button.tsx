import { Button } from '@mantine/core';

type Props = { label: string; of: string; onClick: () => void; loading?: boolean };

/** What can be done with a row. It is read out with the name of the row, since every row has one. */
export function RowButton({ label, of, ...button }: Props) {
  return (
    <Button size="compact-xs" variant="default" aria-label={`${label}: ${of}`} {...button}>
      {label}
    </Button>
  );
}
