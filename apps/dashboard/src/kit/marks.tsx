import { Badge } from '@mantine/core';

/** What is special about a thing, behind its name; what is false is not so. */
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
