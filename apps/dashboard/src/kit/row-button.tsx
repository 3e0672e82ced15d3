import { Button } from '@mantine/core';

type Props = {
  label: string;
  of: string;
  title?: string;
  onClick: () => void;
  loading?: boolean;
  /** Whether it deletes something for good. */
  isDangerous?: boolean;
};

/** An action of a row. Its accessible name includes the name of the row, because every row has the same action. */
export function RowButton({ label, of, isDangerous = false, ...button }: Props) {
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`${label}: ${of}`}
      {...(isDangerous && { c: 'var(--mantine-color-error)' })}
      {...button}
    >
      {label}
    </Button>
  );
}
