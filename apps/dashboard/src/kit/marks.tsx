import { Badge } from '@mantine/core';

/** Badges after a name. False values are left out. */
export function Marks({ marks }: { marks: readonly (string | false)[] }) {
  return marks.map(
    (mark) =>
      mark && (
        <Badge key={mark} size="xs" variant="default">
          {mark}
        </Badge>
      ),
  );
}
