import { Button, Tooltip } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useWords } from '../words/words.tsx';
import { runWords } from './run.words.ts';

/** Whether the pane is shown. */
export type Run = {
  isShown: boolean;
  toggle: () => void;
  /** Shows a port beside the editor, with the pane below it or instead of the pane. */
  showPort: (port: number, options: { isInstead: boolean }) => void;
};

export function RunButton({ isShown, toggle }: Pick<Run, 'isShown' | 'toggle'>) {
  const words = useWords(runWords);
  return (
    <Tooltip label={words.hint}>
      <Button
        size="compact-xs"
        variant={isShown ? 'light' : 'default'}
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        aria-pressed={isShown}
        data-opens-run
        onClick={toggle}
      >
        {words.run}
      </Button>
    </Tooltip>
  );
}
