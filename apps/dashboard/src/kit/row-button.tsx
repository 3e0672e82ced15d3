import { Button } from '@mantine/core';

type Props = { label: string; of: string; title?: string; onClick: () => void; loading?: boolean };

/** An action of a row. Its accessible name includes the name of the row, because every row has the same action. */
export function RowButton({ label, of, ...button }: Props) {
  return (
    <Button size="compact-xs" variant="default" aria-label={`${label}: ${of}`} {...button}>
      {label}
    </Button>
  );
}
