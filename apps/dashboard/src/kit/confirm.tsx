import { Button, Group, Text } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { openDialog } from './dialog.ts';
import { kitWords } from './kit.words.ts';

/**
 * `no` replaces the label of the cancel button if that would be ambiguous, for example when the question is about
 * canceling something.
 */
type Question = { title: string; hint?: string; yes: string; no?: string; isDangerous?: boolean };

/** Asks a question and returns the answer. Closing the dialog in any way counts as no. */
export function confirm({ title, hint, ...buttons }: Question): Promise<boolean> {
  return new Promise((answer) => {
    const dialog = openDialog({
      title,
      onClose: () => answer(false),
      children: (
        <>
          {hint && <Text size="sm">{hint}</Text>}
          <Buttons
            {...buttons}
            refused={() => dialog.close()}
            confirmed={() => {
              answer(true);
              dialog.close();
            }}
          />
        </>
      ),
    });
  });
}

type ButtonsProps = Omit<Question, 'title' | 'hint'> & { refused: () => void; confirmed: () => void };

function Buttons({ yes, no, isDangerous = false, refused, confirmed }: ButtonsProps) {
  const words = useWords(kitWords);
  return (
    <Group justify="flex-end" mt="md">
      <Button variant="default" onClick={refused}>
        {no ?? words.cancel}
      </Button>
      <Button {...(isDangerous && { color: 'red.8' })} onClick={confirmed} data-autofocus>
        {yes}
      </Button>
    </Group>
  );
}
